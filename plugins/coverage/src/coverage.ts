import '../../kit/plugin.css';
import './parts/coverage.css';
import { h, part, replace } from '../../kit/dom.ts';
import { reasonOf, tell } from '../../kit/fault.ts';
import { CallError, canonry } from '../../kit/host.ts';
import { speak } from '../../kit/texts.ts';
import { drawResult } from './parts/draw.ts';
import { recall, remember } from './parts/remember.ts';
import { type Progress, scan } from './parts/scan.ts';
import type { Result } from './parts/tally.ts';
import { texts } from './parts/texts.ts';

const USUAL_SPEED = 230;

let language = speak(undefined);
let hasBegun = false;

const page = canonry.panel({
  autoHeight: false,
  onContext(context) {
    language = speak(context.language);
    if (!hasBegun) void begin();
    hasBegun = true;
  },
});

const words = () => texts[language];
const startButton = (text: string) =>
  h('button', { id: 'start', type: 'button', class: 'main', onclick: () => void read() }, text);

async function begin(): Promise<void> {
  const last = await recall(page.call).catch(() => null);
  if (last !== null) show(last);
  else
    replace(
      part('work'),
      h(
        'div',
        { class: 'empty' },
        h('p', {}, words().never),
        h('p', { class: 'quiet' }, words().neverWhy),
        startButton(words().read),
      ),
    );
}

function show(result: Result): void {
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const note = result.isWhole ? words().asOf(date.format(new Date(result.at))) : words().stopped;
  replace(part('work'), h('p', { role: 'status' }, note), startButton(words().again));
  replace(
    part('result'),
    ...drawResult(result, {
      words: words(),
      language,
      onOpen: ({ type, id }) => page.navigate({ entityType: type, entityId: id }),
    }),
  );
}

async function read(): Promise<void> {
  const stop = new AbortController();
  const onProgress = showWork(stop);
  tell(null);
  try {
    const settings = await page.call('settings.get', {});
    const { words_per_minute: speed } = settings;
    const wordsPerMinute = typeof speed === 'number' && speed > 0 ? speed : USUAL_SPEED;
    const result = await scan(page.call, { wordsPerMinute, now: new Date(), stop: stop.signal, onProgress });
    show(result);
    if (result.isWhole) await keep(result);
  } catch (error) {
    tell(words().failed(reasonOf(error)));
    replace(part('work'), startButton(words().again));
  }
  document.getElementById('start')?.focus();
}

/** A viewer sees the result, but it cannot be kept. */
async function keep(result: Result): Promise<void> {
  try {
    if (!(await remember(page.call, result))) tell(words().notRemembered);
  } catch (error) {
    if (!(error instanceof CallError && error.status === 403)) tell(words().notKept(reasonOf(error)));
  }
}

/** A bar, a line and a button that stops it; returns what moves the bar. */
function showWork(stop: AbortController): (progress: Progress) => void {
  const bar = h('progress', { max: 1, value: 0, 'aria-label': words().progress });
  const line = h('p', { class: 'quiet' });
  const button = h('button', { id: 'stop', type: 'button', onclick: () => stop.abort() }, words().stop);
  replace(part('work'), bar, button, line);
  button.focus();
  return ({ label, read: done, total, typesDone, types }) => {
    bar.value = (typesDone + (total === 0 ? 1 : done / total)) / types;
    line.textContent = words().reading(label, done, total);
  };
}
