import '../../kit/plugin.css';
import './parts/panel.css';
import { h, part, replace } from '../../kit/dom.ts';
import { reasonOf, tell } from '../../kit/fault.ts';
import { CallError, type Context, canonry, type ShownEntity } from '../../kit/host.ts';
import { proseIn } from '../../kit/prose.ts';
import { numbers, speak } from '../../kit/texts.ts';
import { NO_TEXT, readingMinutes, sizeOfText, together } from '../../kit/words.ts';
import { chart } from './parts/chart.ts';
import { type Day, dayOf, lastDays, progressOf, startOf, withNow } from './parts/days.ts';
import { type Counted, goalField, reached, showGoal, sizes } from './parts/show.ts';
import { type Address, type Goal, keyOf, loadDays, loadGoal, saveDay, saveGoal } from './parts/store.ts';
import { texts } from './parts/texts.ts';

const SHOWN_DAYS = 14;
/** Starts of days may be in records that are older than what is shown. */
const READ_DAYS = 60;
const USUAL_SPEED = 230;

interface Kept {
  days: Day[];
  goal: Goal;
  settings: Record<string, unknown>;
}

let language = speak(undefined);
let shown: { address: Address | null; data: ShownEntity } | null = null;
let schema: { type: string; of: unknown } | null = null;
let kept: Kept | null = null;
let turn = 0;

const panel = canonry.panel({ onContext: (context) => void take(context) });

const words = () => texts[language];

async function take(context: Context): Promise<void> {
  turn += 1;
  const own = turn;
  language = speak(context.language);
  const { entityType, entityId, data } = context;
  if (data === null || entityType === null) return tell(words().notAllowed);
  const before = shown?.address;
  const address = entityId === null ? null : { entity_type: entityType, entity_id: entityId };
  if (before === undefined || before?.entity_id !== address?.entity_id) kept = null;
  shown = { address, data };
  tell(null);
  if (schema?.type !== entityType)
    schema = {
      type: entityType,
      of: await panel.call('types.schema', { entity_type: entityType }).catch(() => null),
    };
  if (own !== turn) return;
  draw();
  if (address === null) return;
  try {
    kept ??= await load(address);
  } catch (error) {
    return tell(words().notLoaded(reasonOf(error)));
  }
  if (own !== turn) return;
  draw();
  await keep();
}

async function load(address: Address): Promise<Kept> {
  const from = lastDays(new Date(), READ_DAYS)[0] ?? '';
  const [days, goal, settings] = await Promise.all([
    loadDays(panel.call, from),
    loadGoal(panel.call, address),
    panel.call('settings.get', {}),
  ]);
  return { days, goal, settings };
}

const settingOf = (name: string): number | null => {
  const value = kept?.settings[name];
  return typeof value === 'number' ? value : null;
};

const entryGoal = (): number | null => kept?.goal.words ?? null;

const dailyGoal = (): number | null => (settingOf('my_daily_goal') ?? settingOf('daily_goal')) || null;

function count({ fields, markdown_body }: ShownEntity): Counted {
  const ofFields = proseIn(fields, schema?.of).map(sizeOfText).reduce(together, NO_TEXT);
  const all = together(sizeOfText(markdown_body), ofFields);
  const minutes = readingMinutes(all, settingOf('words_per_minute') ?? USUAL_SPEED);
  return { all, inFields: ofFields.words, minutes };
}

function today({ data }: { data: ShownEntity }, address: Address): Day {
  const now = { entity: keyOf(address), today: dayOf(new Date()), words: count(data).all.words };
  const start = startOf(kept?.days ?? [], { ...now, savedAt: data.updated_at });
  return { entity: now.entity, day: now.today, start, words: now.words };
}

function draw(): void {
  if (shown === null) return;
  const format = numbers(language);
  const counted = count(shown.data);
  replace(part('count'), ...sizes(counted, words(), format));
  if (shown.address === null) replace(part('today'), h('p', { class: 'quiet' }, words().unsaved));
  else if (kept !== null) drawKept(shown.address, kept, today({ data: shown.data }, shown.address));
}

function drawKept(address: Address, { days, goal }: Kept, now: Day): void {
  const progress = progressOf(withNow(days, now), now.entity, lastDays(new Date(), SHOWN_DAYS));
  const wasChanged = progress.some(({ own, all }) => own !== 0 || all !== 0);
  const signed = numbers(language, { signDisplay: 'exceptZero' });
  replace(
    part('today'),
    now.words === now.start ? null : h('p', {}, words().sinceMorning(now.words - now.start)),
    reached(words().entryGoal, now.words, goal.words, words()),
    reached(words().dailyGoal, progress.at(-1)?.all ?? 0, dailyGoal(), words()),
    wasChanged ? chart(progress, words(), signed) : null,
  );
  drawGoals(address);
}

/** The fields stay as long as the entry and the language do, with what is typed: the panel is drawn after each save. */
function drawGoals(address: Address): void {
  const place = part('goals');
  const own = `${language} ${keyOf(address)}`;
  if (place.dataset.own === own) {
    showGoal('entry-goal', entryGoal());
    showGoal('daily-goal', dailyGoal());
    return;
  }
  place.dataset.own = own;
  const wasOpen = place.querySelector('details')?.open === true;
  replace(
    place,
    h(
      'details',
      { open: wasOpen },
      h('summary', {}, words().goals),
      goalField({
        id: 'entry-goal',
        label: words().entryGoalField,
        value: entryGoal,
        words: words(),
        onChange: (next) => void setGoal(address, next),
      }),
      goalField({
        id: 'daily-goal',
        label: words().dailyGoalField,
        value: dailyGoal,
        words: words(),
        onChange: (next) => void setDailyGoal(next),
      }),
    ),
  );
}

/** Days are stored as they change. Who may only read has nothing to add to them. */
async function keep(): Promise<void> {
  if (!shown?.address || kept === null) return;
  const { address } = shown;
  const now = today(shown, address);
  const known = kept.days.find(({ entity, day }) => entity === now.entity && day === now.day);
  kept.days = withNow(kept.days, now);
  // Until then, the page remembers with how many words the day began.
  if (now.words === (known?.words ?? now.start)) return;
  try {
    await saveDay(panel.call, address, now);
  } catch (error) {
    if (!(error instanceof CallError && error.status === 403)) tell(words().notKept(reasonOf(error)));
  }
}

async function setGoal(address: Address, goal: number | null): Promise<void> {
  const present = kept;
  if (present === null) return;
  try {
    present.goal = await saveGoal(panel.call, address, { ...present.goal, words: goal });
  } catch (error) {
    tell(words().notKept(reasonOf(error)));
  }
  draw();
}

async function setDailyGoal(goal: number | null): Promise<void> {
  const present = kept;
  if (present === null) return;
  try {
    await panel.call('settings.set_user', { values: { my_daily_goal: goal ?? 0 } });
    present.settings = { ...present.settings, my_daily_goal: goal ?? 0 };
  } catch (error) {
    tell(words().notKept(reasonOf(error)));
  }
  draw();
}
