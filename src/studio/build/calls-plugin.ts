import type { Plugin } from 'vite';
import { callOf } from '../../client/call.ts';
import { contracts } from './contracts.ts';

const NAME = 'virtual:canonry/calls';

/** The module `virtual:canonry/calls`: what a request needs to know of each contract, without the contract. */
export const callsPlugin = (): Plugin => ({
  name: 'canonry-calls',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) => (id === `\0${NAME}` ? callsModule() : undefined),
});

function callsModule(): string {
  const calls = Object.entries(contracts).map(([name, contract]) => [name, callOf(contract)]);
  return `export const calls = ${JSON.stringify(Object.fromEntries(calls))};`;
}
