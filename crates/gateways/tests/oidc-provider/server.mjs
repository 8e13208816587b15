// npm's oidc-provider on its own port, with a client for each signing algorithm that the shop
// accepts. Every user is signed in as their login_hint, without a page.
// Prints one line of JSON when it is ready, and exits when its standard input is closed.

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

// The id of a user is not their email address, so that a test fails if one is used for the other.
const idOf = (email) => `person-${email}`;
const claimsOf = (id) => {
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
  // The ID token contains the claims of the requested scopes, as Google's does.
  conformIdTokenClaims: false,
  features: { devInteractions: { enabled: false } },
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => claimsOf(id) }),
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
  const handle = provider.callback();
  server.on('request', async (req, res) => {
    if (!req.url.startsWith('/interaction/')) return handle(req, res);
    const { params } = await provider.interactionDetails(req, res);
    await provider.interactionFinished(req, res, { login: { accountId: idOf(params.login_hint) } });
  });
  console.log(JSON.stringify({ issuer }));
});

process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
