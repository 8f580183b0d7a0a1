import { ApiError } from './api-error.ts';

/** A body or query in the provider's form encoding; lists are trees with numbers as names. */
export interface FormTree {
  [name: string]: string | FormTree;
}

/** `items[0][price]=a&expand[]=b`. */
export function parseForm(text: string): FormTree {
  const tree: FormTree = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split('[').map((part, at) => (at === 0 ? part : part.replace(/\]$/, '')));
    put(tree, path, value);
  }
  return tree;
}

function put(tree: FormTree, [name = '', ...rest]: string[], value: string): void {
  const key = name === '' ? String(Object.keys(tree).length) : name;
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  const inner = tree[key];
  const next: FormTree = typeof inner === 'object' ? inner : Object.create(null);
  tree[key] = next;
  put(next, rest, value);
}

export function textOf(tree: FormTree, name: string): string | undefined {
  const value = tree[name];
  if (typeof value === 'object') throw invalid(name, `Invalid string: ${name}`);
  return value;
}

export function needed(tree: FormTree, name: string): string {
  const value = textOf(tree, name);
  if (value === undefined || value === '')
    throw invalid(name, `Missing required param: ${name}.`, 'parameter_missing');
  return value;
}

export function numberOf(tree: FormTree, name: string): number | undefined {
  const value = textOf(tree, name);
  if (value === undefined) return undefined;
  if (!/^-?\d+$/.test(value)) throw invalid(name, `Invalid integer: ${value}`, 'parameter_invalid_integer');
  return Number(value);
}

export function flagOf(tree: FormTree, name: string): boolean | undefined {
  const value = textOf(tree, name);
  if (value === undefined || value === 'true' || value === 'false')
    return value === undefined ? undefined : value === 'true';
  throw invalid(name, `Invalid boolean: ${value}`);
}

export function treeOf(tree: FormTree, name: string): FormTree {
  const value = tree[name];
  if (typeof value === 'string' && value !== '') throw invalid(name, `Invalid object: ${name}`);
  return typeof value === 'object' ? value : {};
}

export const treesOf = (tree: FormTree, name: string): FormTree[] =>
  Object.values(treeOf(tree, name)).filter((each) => typeof each === 'object');

export const textsOf = (tree: FormTree, name: string): string[] =>
  Object.values(treeOf(tree, name)).filter((each) => typeof each === 'string');

/** An empty value removes a name. */
export function mergeMetadata(tree: FormTree, before: Readonly<Record<string, string>> = {}) {
  const merged: Record<string, string> = { ...before };
  for (const [name, value] of Object.entries(treeOf(tree, 'metadata'))) {
    if (value === '') delete merged[name];
    else merged[name] = String(value);
  }
  return merged;
}

const invalid = (param: string, message: string, code?: string) =>
  new ApiError(400, { message, param, ...(code !== undefined && { code }) });
