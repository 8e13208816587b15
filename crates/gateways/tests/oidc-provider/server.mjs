// npm's oidc-provider on a port of its own, with a client for each signing algorithm that the shop
// accepts. Whoever comes is signed in as their login_hint, without a page in between.
// Prints one line of JSON when it is ready; ends when its standard input does.

import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const { REDIRECT_URI, CLIENT_SECRET } = process.env;
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

const jwk = (kid, kind, options) => ({
  ...generateKeyPairSync(kind, options).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  kid,
});

// A person's id is not their e-mail address, so that nobody can take one for the other.
const idOf = (email) => `person-${email}`;
const person = (id) => {
  const email = id.replace('person-', '');
  return {
    sub: id,
    email,
    email_verified: !email.startsWith('unverified'),
    name: 'Asha Kulkarni',
    picture: 'https://pictures.example/asha.png',
  };
};

const configuration = {
  clients: ALGORITHMS.map((alg) => ({
    client_id: `shop-${alg}`,
    client_secret: CLIENT_SECRET,
    redirect_uris: [REDIRECT_URI],
    id_token_signed_response_alg: alg,
  })),
  jwks: {
    keys: [
      jwk('rsa', 'rsa', { modulusLength: 2048 }),
      jwk('ec', 'ec', { namedCurve: 'P-256' }),
      jwk('ed', 'ed25519'),
    ],
  },
  cookies: { keys: ['only for a test'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
  // Claims of the asked scopes go into the ID token, as Google has it.
  conformIdTokenClaims: false,
  features: { devInteractions: { enabled: false } },
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => person(id) }),
  interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
  loadExistingGrant: async (ctx) => {
    const { client, session, provider } = ctx.oidc;
    const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
};

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, configuration);
  const answer = provider.callback();
  server.on('request', async (req, res) => {
    if (!req.url.startsWith('/interaction/')) return answer(req, res);
    const { params } = await provider.interactionDetails(req, res);
    await provider.interactionFinished(req, res, { login: { accountId: idOf(params.login_hint) } });
  });
  console.log(JSON.stringify({ issuer }));
});

process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
