// Calls every import and has every export of the world. `guests.conformance.ts` says what must come of it.
import entities from 'canonry:plugin/entities@1.0.0';
import events from 'canonry:plugin/events@1.0.0';
import http from 'canonry:plugin/http@1.0.0';
import kv from 'canonry:plugin/kv@1.0.0';
import log from 'canonry:plugin/log@1.0.0';
import settings from 'canonry:plugin/settings@1.0.0';

export const metadata = {
  getInfo: () => ({ name: 'Conformance', version: '1.2.3', description: 'Calls everything: ünï 🦊' }),
};

export const hooks = {
  onEntityValidate: ({ entityType, id, entity, previous }) => [
    { severity: 'info', field: null, message: `${entityType}/${id}` },
    { severity: 'warning', field: 'name', message: entity },
    { severity: 'error', field: 'stats.strength', message: previous ?? 'new' },
  ],
  onEntitySave({ id, entity }) {
    if (id === 'refused') throw 'not saved by the guest';
    return id === 'same' ? null : entity;
  },
  onEntityCreate({ id, entity }) {
    kv.set(id, entity);
  },
  onEntityDelete({ id }) {
    kv.delete(id);
  },
  onProjectInit(project) {
    log.log('info', project);
  },
};

const tried = (work) => {
  try {
    return work();
  } catch (error) {
    return `refused: ${error.message}`;
  }
};

const request = (url) => {
  const { status, headers, body } = http.request({
    method: 'POST',
    url,
    headers: [['x-one', '1']],
    body: 'sent',
  });
  return `${status} ${headers.map((header) => header.join('=')).join(',')} ${body}`;
};

function report() {
  for (const level of ['debug', 'info', 'warn', 'error']) log.log(level, `a line of ${level}`);
  const hits = entities.search('lamp', 5);
  return [
    `get ${entities.get('character', 'mira')}`,
    `get ${entities.get('character', 'nobody') ?? 'none'}`,
    `ids ${entities.listIds('character', 2, null).join(',')}`,
    `ids ${entities.listIds('character', 2, 'mira').join(',')}`,
    `hit ${hits[0].entityType} ${hits[0].id} ${hits[0].name}`,
    `write ${entities.write('character', 'mira', '{"age":40}')}`,
    `write ${tried(() => entities.write('character', 'nobody', '{}'))}`,
    `settings ${settings.get()}`,
    `set ${tried(() => kv.set('', 'no key')) ?? 'ok'}`,
    `set ${tried(() => kv.set('colour', 'blue')) ?? 'ok'}`,
    `value ${kv.get('colour')}`,
    `keys ${kv.list('col').join(',')}`,
    `deleted ${kv.delete('colour') ?? 'ok'}`,
    `value ${kv.get('colour') ?? 'none'}`,
    `emit ${tried(() => events.emit('lit', '{"lamp":1}')) ?? 'ok'}`,
    `emit ${tried(() => events.emit('lit', 'no json')) ?? 'ok'}`,
    `request ${request('https://lamps.example/on')}`,
    `request ${tried(() => request('https://other.example/'))}`,
  ].join('\n');
}

export const routes = {
  handleRequest({ method, path, headers, body, user }) {
    if (path === '/report') return { status: 200, headers: [['content-type', 'text/plain']], body: report() };
    if (path === '/error') throw 'no answer';
    return {
      status: 404,
      headers: [...headers, ['x-user', `${user.id} ${user.role}`]],
      body: `${method} ${path} ${body ?? 'none'}`,
    };
  },
};
