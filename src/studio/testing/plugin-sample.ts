import { zipOf } from '../../../test/support/zip.ts';

/** Speaks with the Studio, and shows what it hears in elements that a test finds by their ids. */
const SCRIPT = `
const host = new URLSearchParams(location.search).get('host') || '*';
const show = (id, text) => { document.getElementById(id).textContent = text; };
const say = (message) => parent.postMessage(message, '*');
let calls = 0;
let hasState = false;
const waiting = new Map();
window.call = (call, args) => new Promise((resolve) => {
  waiting.set(++calls, resolve);
  say({ type: 'host-call', callId: calls, call, args });
});
window.say = say;
window.heard = [];
addEventListener('message', ({ data, source }) => {
  if (source !== parent) return;
  heard.push(data.type);
  if (data.type === 'host-result') waiting.get(data.callId)?.(data);
  if (data.type === 'entity-context' || data.type === 'entity-updated') {
    show('entity', data.entityType + '/' + data.entityId);
    show('name', data.data ? data.data.name + ': ' + data.data.fields.want : 'unknown');
  }
  if (data.type === 'entity-context' || data.type === 'theme-change') show('theme', data.theme);
  if (data.type === 'host-field-widget-update' && !(data.repeated && hasState)) {
    hasState = true;
    document.getElementById('value').value = data.value ?? '';
    document.getElementById('value').disabled = data.disabled;
  }
});
{
  const value = document.getElementById('value');
  value.oninput = () => say({ type: 'host-field-widget-change', value: value.value });
  document.getElementById('edit').onclick = () =>
    say({ type: 'entity-modified', fields: { want: 'A plugin’s bell', markdown_body: 'A plugin’s text.\\n' } });
}
`;

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sample</title><script src="page.js" defer></script>
<style>body { color: var(--surface-base-text); background: var(--surface-base-bg); font: 1rem sans-serif; }</style></head>
<body><p id="entity"></p><p id="name"></p><p id="theme"></p>
<label>Value <input id="value"></label> <button id="edit">Edit</button></body></html>`;

/** A plugin with one of everything, which wants to read and to write. */
const filesOf = (more: object): Record<string, string> => ({
  'plugin.json': JSON.stringify({
    id: 'sample',
    name: 'Sample',
    version: '1.0.0',
    description: 'Shows what a plugin can do.',
    trust_tier: 'community',
    permissions: ['entities:read', 'entities:write', 'http:hooks.example.com'],
    capabilities: {
      frontend: {
        panels: [
          { id: 'side', title: 'At the side', location: 'entity-sidebar', url: 'ui/index.html' },
          {
            id: 'tab',
            title: 'Whole',
            location: 'entity-tab',
            entity_types: ['character'],
            url: 'ui/index.html',
          },
          {
            id: 'foot',
            title: 'Below',
            location: 'entity-footer',
            entity_types: ['item'],
            url: 'ui/index.html',
          },
        ],
        field_widgets: [{ id: 'meter', label: 'Meter', accepts_options: true, url: 'ui/index.html' }],
        pages: [{ id: 'atlas', title: 'Atlas', route: 'atlas', url: 'ui/index.html' }],
        commands: [{ id: 'count', title: 'Count words', url: 'ui/index.html' }],
      },
      settings: {
        global: [
          { key: 'goal', label: 'Words a day', type: 'integer', default: 500, min: 0 },
          { key: 'api_key', label: 'Key', type: 'secret' },
        ],
        user: [{ key: 'greeting', label: 'Greeting', type: 'string', default: 'Hello' }],
      },
    },
    ...more,
  }),
  'ui/index.html': PAGE,
  'ui/page.js': SCRIPT,
});

/** The same, as people upload it. */
export const samplePluginZip = (more: object = {}): Buffer =>
  Buffer.from(zipOf(Object.entries(filesOf(more)).map(([name, content]) => ({ name, content }))));
