import { Type } from 'typebox';
import { ANY_NAME, type Contract, contract } from '../../kit/contract.ts';
import { named } from '../../kit/schemas.ts';

const Health = named('Health', {
  status: Type.Literal('healthy'),
  entity_count: Type.Integer({
    description: 'Live entities of all projects; 0 where many tenants share the service',
  }),
  entity_types: Type.Array(Type.String()),
});

/** Some monitors add a query parameter of their own to each request. */
const health = {
  otherQuery: ANY_NAME,
  auth: 'none',
  tag: 'Operations',
  description:
    'Answers as soon as requests are served; 503 when the database does not answer within a second.',
  reply: Health,
  errors: [503],
  example: {
    reply: { status: 'healthy', entity_count: 42, entity_types: ['character', 'location', 'item'] },
  },
} satisfies Partial<Contract>;

export const getHealth = contract('GET /health', { ...health, name: 'getHealth', summary: 'Health' });

export const getApiHealth = contract('GET /api/health', {
  ...health,
  name: 'getApiHealth',
  summary: 'Health, under the prefix of the API',
});

export const getStatus = contract('GET /health', {
  ...health,
  name: 'getStatus',
  summary: 'Health',
  reply: Type.Object({ status: Type.Literal('healthy') }),
  example: { reply: { status: 'healthy' } },
});

export const getServicesHealth = contract('GET /api/services/health', {
  name: 'getServicesHealth',
  auth: 'none',
  tag: 'Operations',
  summary: 'State of everything that the service needs',
  description: 'Each is asked at this moment, for at most two seconds.',
  reply: named('ServicesHealth', {
    backend: Type.Literal('healthy'),
    database: Type.Enum(['connected', 'unavailable']),
    ai_service: Type.Enum(['connected', 'unavailable', 'not_configured'], {
      description: 'The AI surface, or the model provider of the installation; not those that users enter',
    }),
    storage: Type.Enum(['accessible', 'inaccessible']),
    cache: Type.Enum(['connected', 'unavailable']),
    vector_store: Type.Enum(['connected', 'unavailable', 'not_configured'], {
      description:
        'Vectors of passages, for searches by meaning, are rows of the database; `not_configured` where AI is off',
    }),
    accounts: Type.Enum(['connected', 'unavailable', 'not_configured'], {
      description:
        'The accounts service, where this one takes its tokens; without it, what is known of people holds',
    }),
    events: Type.Enum(['connected', 'unavailable', 'not_configured'], {
      description:
        'What carries events to other processes; while it is away, these find them in the event log within seconds',
    }),
  }),
  example: {
    reply: {
      backend: 'healthy',
      database: 'connected',
      ai_service: 'not_configured',
      storage: 'accessible',
      cache: 'connected',
      vector_store: 'connected',
      accounts: 'not_configured',
      events: 'not_configured',
    },
  },
});

export const getLiveness = contract('GET /livez', {
  name: 'getLiveness',
  auth: 'none',
  tag: 'Operations',
  summary: 'Whether the process lives',
  description: 'Asks nothing else: restart the process when this does not answer.',
  reply: Type.Object({ status: Type.Literal('alive') }),
  example: { reply: { status: 'alive' } },
});

export const getReadiness = contract('GET /readyz', {
  name: 'getReadiness',
  auth: 'none',
  tag: 'Operations',
  summary: 'Whether requests can be served',
  description:
    'Send no requests while this answers 503: `waiting_for` names what is missing. A self-hosted core is ready once its content folder was compared with the database, unless `READY_WHEN` says otherwise.',
  reply: Type.Object({ status: Type.Literal('ready') }),
  errors: [503],
  example: { reply: { status: 'ready' } },
});
