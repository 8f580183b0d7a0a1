import { Type } from 'typebox';
import { ANY_NAME, contract } from '../../kit/contract.ts';
import { Count, closed, NullableInteger, oneOf } from '../../kit/schemas.ts';
import { Message, TAG } from './shared.contract.ts';
import { WAITLIST_STATES } from './states.contract.ts';

const Email = Type.String({ minLength: 1, maxLength: 320 });
const Token = Type.String({ minLength: 1, maxLength: 200 });
const token = 'cnrw_Yk1T0Zq7v3l9o2c4d5e6f7g8h9i0j1k2l3m4n5o6p7q';

const Place = Type.Object({
  status: oneOf(WAITLIST_STATES),
  position: NullableInteger,
  referral_code: Type.String(),
  referrals: Count,
});
const place = { status: 'waiting', position: 12, referral_code: '7KQMX2RD', referrals: 2 };

const open = { auth: 'none', tag: TAG, limit: 'login' } as const;

export const joinBetaWaitlist = contract('POST /api/beta/waitlist', {
  ...open,
  name: 'joinBetaWaitlist',
  summary: 'Ask for a place in the beta programme',
  description:
    'Answers alike, and does the same work, whether the address is known or not. The address gets a mail, at most one an hour, with a link by which to confirm it and to see its place.',
  body: closed({
    email: Email,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    about: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
    referral_code: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  }),
  reply: Message,
  example: {
    body: { email: 'ben@example.com', name: 'Ben', referral_code: '7KQMX2RD' },
    reply: { message: 'Thank you! A mail is on its way: open its link to confirm your address' },
  },
});

const ofPlace = {
  ...open,
  params: Type.Object({ token: Token }),
  // Mail programs append parameters to links, and the page's form posts to the same address.
  otherQuery: ANY_NAME,
  reply: Place,
  errors: [404],
} as const;

export const showWaitlistPlace = contract('GET /api/beta/waitlist/{token}', {
  ...ofPlace,
  name: 'showWaitlistPlace',
  summary: 'One’s place on the waitlist, by the token of the newest mail',
  description:
    'The order is that of the requests, and each confirmed referral, up to 30, counts as if the request had come a day earlier. `position` is null for those who are not waiting. It changes nothing, since mail scanners follow links too: a browser gets a page with a button that confirms.',
  example: { params: { token }, reply: place },
});

export const confirmWaitlistPlace = contract('POST /api/beta/waitlist/{token}', {
  ...ofPlace,
  name: 'confirmWaitlistPlace',
  summary: 'Confirm one’s address by the token of the newest mail',
  description:
    'There is no body, and it may be sent twice. From then on the entry has a place, and counts for whoever recommended it.',
  stream: { mediaType: 'application/x-www-form-urlencoded', description: 'Nothing', isOptional: true },
  bodyLimit: 1024,
  example: { params: { token }, reply: { ...place, referrals: 0 } },
});
