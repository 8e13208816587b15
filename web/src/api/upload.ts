// Requests with files. With XMLHttpRequest, because fetch does not report upload progress.
import { ApiError, errorFrom } from './error';
import { buildUrl, type PathWith, type ResponseBody } from './paths';

type Options = {
  path?: object;
  query?: object;
  headers?: Record<string, string>;
  form: FormData;
  /** The error message where the server gives none. */
  fallback: string;
  /** From 0 to 1. */
  onProgress?: (part: number) => void;
};

export const postForm = <Path extends PathWith<'post'>>(
  path: Path,
  options: Options,
): Promise<ResponseBody<Path, 'post'>> => sendForm('POST', path, options);

export const putForm = <Path extends PathWith<'put'>>(
  path: Path,
  options: Options,
): Promise<ResponseBody<Path, 'put'>> => sendForm('PUT', path, options);

function sendForm<Body>(
  method: 'POST' | 'PUT',
  path: string,
  { path: params, query, headers, form, fallback, onProgress }: Options,
): Promise<Body> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total);
    };
    request.onerror = () => reject(new ApiError(0, 'network', fallback));
    request.onload = () => {
      const body = parseBody(request.responseText);
      if (request.status < 300 && body !== null) resolve(body);
      else reject(errorFrom(request.status, body, fallback));
    };
    request.open(method, buildUrl(path, params, query));
    request.setRequestHeader('accept', 'application/json');
    for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, value);
    request.send(form);
  });
}

function parseBody(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
