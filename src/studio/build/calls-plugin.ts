import type { Plugin } from 'vite';
import { callOf } from '../../client/call.ts';
import type { Contract } from '../../kit/contract.ts';
import { contracts, pluginContracts } from './contracts.ts';

const MODULES: ReadonlyMap<string, Readonly<Record<string, Contract>>> = new Map<
  string,
  Readonly<Record<string, Contract>>
>([
  ['virtual:canonry/calls', contracts],
  ['virtual:canonry/plugin-calls', pluginContracts],
]);

/** Modules with what a request needs to know of each contract, without the contract. */
export const callsPlugin = (): Plugin => ({
  name: 'canonry-calls',
  resolveId: (id) => (MODULES.has(id) ? `\0${id}` : undefined),
  load(id) {
    const listed = MODULES.get(id.slice(1));
    return listed && callsModule(listed);
  },
});

function callsModule(listed: Readonly<Record<string, Contract>>): string {
  const calls = Object.entries(listed).map(([name, contract]) => [name, callOf(contract)]);
  return `export const calls = ${JSON.stringify(Object.fromEntries(calls))};`;
}
