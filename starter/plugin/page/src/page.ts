// The script of public/page.html: a page of its own, in the navigation.
import { canonry } from '../canonry/panel.ts';

const page = canonry.panel();

async function showTypes(): Promise<void> {
  const { entity_types: types } = await page.call('types.list', {});
  const lines = types.map(async ({ entity_type, label }) => {
    const { total } = await page.call('entities.list', { entity_type, limit: 1 });
    const line = document.createElement('li');
    line.textContent = `${label}: ${total}`;
    return line;
  });
  document.getElementById('types')?.replaceChildren(...(await Promise.all(lines)));
}

showTypes().catch((error: Error) => page.toast(error.message, 'error'));
