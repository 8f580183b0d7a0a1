import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { contextsAlone, contextsIn, withoutContexts } from './contexts.ts';

const INSTALLED = join(
  dirname(createRequire(import.meta.url).resolve('react-aria-components')),
  '../private',
);
const textOf = (file: string): string => readFileSync(join(INSTALLED, file), 'utf8');

test('the installed button finds the contexts that it shares without the components that have them', () => {
  const button = withoutContexts(textOf('Button.mjs'), 'Button.mjs', textOf);
  assert.match(button, /import \{ProgressBarContext as \S+\} from "\.\/ProgressBar\.mjs\?contexts";/);
  assert.doesNotMatch(button, /"\.\/ProgressBar\.mjs"/);
  assert.match(button, /import \{ButtonContext as \S+\} from "\.\/Button\.mjs\?contexts";/);
  assert.match(button, /export \{.*\bas ButtonContext\b.*\bas Button\};/);
  assert.doesNotMatch(button, /createContext\)\(/);
});

test('each context is made once, with what it begins with', () => {
  const menu = contextsIn(textOf('Menu.mjs')).map(({ name }) => name);
  assert.deepEqual(menu, ['MenuContext', 'MenuStateContext', 'RootMenuTriggerStateContext']);
  assert.match(contextsAlone(textOf('Button.mjs')), /export const ButtonContext = .* createContext\(\{\}\);/);
});

test('what is no context stays where it is', () => {
  const collection = withoutContexts(textOf('Collection.mjs'), 'Collection.mjs', textOf);
  assert.match(collection, /createContext\)\(\$/);
  assert.match(withoutContexts(textOf('Menu.mjs'), 'Menu.mjs', textOf), /from "\.\/Collection\.mjs";/);
});
