// The script of public/panel.html: a panel beside an entry.
import { type Context, canonry } from '../canonry/panel.ts';

const element = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`panel.html has no #${id}`);
  return found;
};

const countWords = (text: string): number => text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;

let shown: Context | null = null;

const panel = canonry.panel({
  // Called when the panel opens, and again after each change of the entry: leave a field alone in which the user is typing.
  onContext(context) {
    shown = context;
    const words = countWords(context.data?.markdown_body ?? '');
    element('words').textContent = `${words} words`;
    void showEarlier();
  },
});

element('remember').addEventListener('click', async () => {
  const { entityType, entityId, data } = shown ?? {};
  if (!entityType || !entityId) return panel.toast('Save the entry first', 'warning');
  // A record with these two names belongs to the entry, also after a change of its id.
  const record = {
    entity_type: entityType,
    entity_id: entityId,
    words: countWords(data?.markdown_body ?? ''),
  };
  await panel.call('data.create', { record_type: 'counts', data: record });
  panel.toast('Remembered', 'success');
  await showEarlier();
});

async function showEarlier(): Promise<void> {
  const { entityType, entityId } = shown ?? {};
  if (!entityType || !entityId) return;
  const address = { entity_type: entityType, entity_id: entityId };
  const { records } = await panel.call('data.list', { record_type: 'counts', ...address, limit: 5 });
  const lines = records.map(({ created_at, data }) => {
    const line = document.createElement('li');
    line.textContent = `${created_at.slice(0, 10)}: ${data.words}`;
    return line;
  });
  element('earlier').replaceChildren(...lines);
}
