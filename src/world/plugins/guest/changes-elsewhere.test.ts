import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBackground } from '../../../kit/background.ts';
import { createInProcessBus } from '../../../platform/bus/adapters/in-process-bus.ts';
import { pluginChanged } from '../plugins.events.ts';
import { createChangesElsewhere } from './changes-elsewhere.ts';

test('a plugin that another process ended is ended here too, and one that changed is followed anew', async () => {
  const bus = createInProcessBus({
    verify: true,
    onError(error) {
      throw error;
    },
  });
  const project = { tenantId: 'tenant', projectId: 'one' };
  const running = [{ folder: { id: 'kept' } }];
  const done: string[] = [];
  const background = createBackground();
  const { hear, leave } = createChangesElsewhere<typeof project>({
    bus,
    guestPlugins: { of: async () => running, forget: () => void done.push('forget') },
    calls: { end: async (_project, id) => void done.push(`end ${id}`) },
    follower: { lookAgain: () => void done.push('look again') },
    follow: () => void done.push('follow'),
    inBackground: background.add,
  });
  const publish = async (projectId: string, plugin_id: string) => {
    const timestamp = '2026-03-02T10:15:00.000Z';
    bus.publish({ ...project, projectId }, pluginChanged, { plugin_id, action: 'disabled', timestamp });
    await bus.idle();
    await background.idle();
    return done.splice(0);
  };
  hear(project);
  assert.deepEqual(await publish('one', 'gone'), ['forget', 'look again', 'end gone', 'follow']);
  assert.deepEqual(await publish('one', 'kept'), ['forget', 'look again', 'follow']);
  assert.deepEqual(await publish('two', 'gone'), []);
  leave(project);
  assert.deepEqual(await publish('one', 'gone'), []);
});
