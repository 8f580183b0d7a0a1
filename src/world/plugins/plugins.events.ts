import { Type } from 'typebox';
import { defineEvent } from '../../kit/event.ts';
import { oneOf, Text } from '../../kit/schemas.ts';

/** A guest emitted it. */
export const pluginEvent = defineEvent('plugin_event', {
  plugin_id: Text,
  name: Text,
  payload: Type.Unknown(),
  timestamp: Type.String({ format: 'date-time' }),
});

export const pluginChanged = defineEvent('plugin_changed', {
  plugin_id: Text,
  action: oneOf(['installed', 'removed', 'enabled', 'disabled', 'granted', 'settings']),
  timestamp: Type.String({ format: 'date-time' }),
});
