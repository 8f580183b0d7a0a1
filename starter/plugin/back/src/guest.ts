// Becomes guest.wasm, which runs in the service: plain JavaScript, without a browser, files or timers.
import { defineHooks, defineRoutes, entities, log } from '../canonry/guest.ts';

const TO_DO = /\bTODO\b.*/;

export const hooks = defineHooks({
  // The findings stand beside those of Canonry itself. An `error` would refuse the save.
  onEntityValidate({ entity }) {
    const toDo = TO_DO.exec(entity.markdown_body)?.[0];
    return toDo ? [{ severity: 'warning', message: `still to be written: ${toDo}` }] : [];
  },

  // Return the fields that are to be saved differently, or nothing to leave the entry as it is.
  onEntitySave({ entity }) {
    const text = entity.markdown_body.replaceAll('...', '…');
    return text === entity.markdown_body ? undefined : { markdown_body: text };
  },

  onProjectInit({ name }) {
    log.info(`enabled in ${name}`);
  },
});

// GET /api/plugins/my-plugin/custom/count?type=character
export const routes = defineRoutes(({ path, query }) => {
  if (path !== '/count' || !query.type) return { status: 404, body: { detail: 'ask for /count?type=…' } };
  return { body: { type: query.type, entities: entities.listIds(query.type).length } };
});
