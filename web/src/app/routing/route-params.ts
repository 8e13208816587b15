// The named parameters of the current path, such as a product's id.
import { createContext, useContext } from 'react';

export const RouteParamsContext = createContext<Record<string, string | undefined>>({});

export function useRouteParam(name: string): string {
  return useContext(RouteParamsContext)[name] ?? '';
}
