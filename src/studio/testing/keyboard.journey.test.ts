import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../test/support/until.ts';
import { readDocument } from '../../content/frontmatter/index.ts';
import { walkThrough } from './focus.ts';
import { OWNER, startStudio } from './studio.ts';

const QUEST = 'Quests/the_low_bell/QST_the_low_bell.md';

type Use = (page: Page) => Promise<void>;

const typed =
  (words: string): Use =>
  (page) =>
    page.keyboard.type(words);

const pressed =
  (...keys: string[]): Use =>
  async (page) => {
    for (const key of keys) await page.keyboard.press(key);
  };

/** Opens the list of options, and takes the one that begins so. */
const chosen =
  (option: string): Use =>
  async (page) => {
    await page.keyboard.press('ArrowDown');
    await page.locator('[role="option"]:focus').waitFor();
    await page.keyboard.type(option);
    await page.locator('[role="option"]:focus').filter({ hasText: option }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('button:focus').filter({ hasText: option }).waitFor();
  };

/** Looks for an entity by name, and takes the first that is found. */
const found =
  (name: string): Use =>
  async (page) => {
    await page.keyboard.type(name);
    await page.getByRole('option', { name }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('input:focus[aria-activedescendant]').waitFor();
    await page.keyboard.press('Enter');
    const taken = page.getByRole('row').or(page.getByRole('listitem'));
    await taken.filter({ hasText: name }).first().waitFor();
    await page.getByRole('listbox').waitFor({ state: 'detached' });
  };

/** How each field of a quest is filled in, and what its file has of it then. */
const FIELDS: Readonly<Record<string, readonly [use: Use, path: string, value: unknown]>> = {
  Summary: [typed('Find the bell that nobody hears.'), 'summary', 'Find the bell that nobody hears.'],
  Side: [pressed('ArrowUp'), 'quest_type', 'main'],
  Campaign: [found('Before the Return'), 'campaign', 'before_the_return'],
  Giver: [found('Oda Pell'), 'giver', 'oda_pell'],
  'Start location': [found('Harrow Quay'), 'start_location', 'harrow_quay'],
  Locations: [found('The Bell House'), 'locations', ['bell_house']],
  Characters: [found('Mira Vale'), 'characters', ['mira_vale']],
  Factions: [found('The Drowned Choir'), 'factions', ['drowned_choir']],
  Prerequisites: [found('The Missing Tongue'), 'prerequisites', ['the_missing_tongue']],
  'Start date': [typed('0412-08-03'), 'start_date', '0412-08-03'],
  'End date': [typed('0412-08-09'), 'end_date', '0412-08-09'],
  Hook: [typed('Who rings it?'), 'hook', 'Who rings it?'],
  Goal: [typed('The bell is found.'), 'goal', 'The bell is found.'],
  Stakes: [typed('The quay drowns.'), 'stakes', 'The quay drowns.'],
  Truth: [typed('It hangs under water.'), 'truth', 'It hangs under water.'],
  'Stages 1': [typed('Listen.'), 'stages', ['Listen.']],
  'Branches 1': [typed('If they dive, then it stops.'), 'branches', ['If they dive, then it stops.']],
  'Fail states 1': [typed('The tide turns.'), 'fail_states', ['The tide turns.']],
  Twist: [typed('They rang it themselves.'), 'twist', 'They rang it themselves.'],
  'Reward items': [found('Brine Lamp'), 'reward_items', ['brine_lamp']],
  'Consequences 1': [typed('A stair is dry.'), 'consequences', ['A stair is dry.']],
  Difficulty: [pressed('Home', 'ArrowRight'), 'difficulty', 2],
  'Estimated minutes': [pressed('Home', 'ArrowRight'), 'estimated_minutes', 10],
  'Is repeatable': [pressed('Space'), 'is_repeatable', true],
  'Is missable': [pressed('Space'), 'is_missable', false],
  Tone: [chosen('Comedy'), 'tone', 'comedy'],
  Tags: [pressed('b', 'e', 'l', 'l', 'Enter'), 'tags', ['bell']],
  Money: [pressed('Delete', '5'), 'rewards.money', 5],
  Experience: [pressed('ArrowUp'), 'rewards.experience', 101],
  Reputation: [typed('The quay greets them.'), 'rewards.reputation', 'The quay greets them.'],
  Story: [typed('The bell is theirs.'), 'rewards.story', 'The bell is theirs.'],
  General: [chosen('Concept'), 'production_status.general', 'concept'],
  Game: [chosen('Planned'), 'production_status.game_platform', 'planned'],
  Series: [chosen('Review'), 'production_status.tv_showrunner', 'review'],
  Notes: [typed('One bell to record.'), 'production_status.notes', 'One bell to record.'],
};

test('a quest is made from the keyboard alone, and the focus always shows', async (t) => {
  const studio = await startStudio(t);
  await studio.makeOwner();
  const page = await studio.open('/w/default/quest');
  const walk = walkThrough(page);
  await page.getByRole('heading', { name: 'Sign in to Canonry' }).waitFor();
  await page.getByLabel('Email').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(OWNER.email);
  await walk.to('Tab', 'Password');
  await page.keyboard.type(OWNER.password);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'The Missing Tongue' }).waitFor();

  await page.keyboard.press('c');
  const name = page.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':focus'));
  await name.waitFor();
  await page.keyboard.type('The Low Bell');
  await page.keyboard.press('Control+s');
  // The service gives it the values with which a quest begins, and the focus stays where it is.
  await page.getByRole('radio', { name: 'Side', checked: true }).waitFor();
  await name.waitFor();
  for (const left of [3, 2, 1]) {
    await page
      .getByRole('button', { name: /more fields?$/ })
      .nth(left - 1)
      .waitFor();
    await walk.to('Tab', /more fields?$/);
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: 'Fewer fields' })
      .nth(3 - left)
      .waitFor();
  }
  // From here back, since each button to show more stands below what it shows.
  const open = new Map(Object.entries(FIELDS));
  while (open.size > 0) {
    const stop = await walk.next('Shift+Tab');
    assert.notEqual(stop, 'Name', `never reached: ${[...open.keys()].join(', ')}`);
    // A list is named by what is chosen and by its label.
    const field = [...open.keys()].find((label) => stop === label || stop.endsWith(` ${label}`));
    if (field === undefined) continue;
    await open.get(field)?.[0](page);
    open.delete(field);
  }
  await walk.to('Tab', /^Text( of|$)/);
  await page.keyboard.type('Nobody hears it.');
  await page.keyboard.press('Control+s');
  const file = join(studio.content, QUEST);
  await until(() => readFileSync(file, 'utf8').includes('Nobody hears it.'));
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();

  const saved = readDocument(readFileSync(file, 'utf8'));
  assert.ok(saved.ok);
  const { data, body } = saved;
  for (const [, path, value] of Object.values(FIELDS)) {
    const [field = '', part] = path.split('.');
    const kept = data[field];
    assert.deepEqual(
      part === undefined ? kept : Object.entries(kept ?? {}).find(([key]) => key === part)?.[1],
      value,
      path,
    );
  }
  assert.match(body, /^Nobody hears it\./);
});
