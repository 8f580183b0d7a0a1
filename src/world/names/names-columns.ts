import { aliasesOf } from '../../content/entity/index.ts';
import type { NameRow } from './names.store.ts';

const aliasesIn = (json: string | null): string[] | null => {
  const aliases = json === null ? [] : aliasesOf(JSON.parse(json));
  return aliases.length === 0 ? null : aliases;
};

/** Collects entities in columns, as JSON texts. */
export function createColumns() {
  const types = new Map<string, number>();
  const t: number[] = [];
  const id: string[] = [];
  const name: string[] = [];
  const aliases: string[] = [];
  const status: string[] = [];
  const gone: string[] = [];

  function indexOf(type: string): number {
    const index = types.get(type) ?? types.size;
    types.set(type, index);
    return index;
  }

  return {
    add(row: NameRow): void {
      t.push(indexOf(row.entity_type));
      id.push(JSON.stringify(row.entity_id));
      name.push(JSON.stringify(row.name));
      aliases.push(JSON.stringify(aliasesIn(row.aliases)));
      status.push(JSON.stringify(row.status));
    },
    addGone(type: string, entityId: string): void {
      gone.push(JSON.stringify({ t: indexOf(type), id: entityId }));
    },
    json: (rest: { cursor: string; full: boolean }): string =>
      `{"types":${JSON.stringify([...types.keys()])},"t":[${t.join()}],"id":[${id.join()}],"name":[${name.join()}],` +
      `"aliases":[${aliases.join()}],"status":[${status.join()}],"gone":[${gone.join()}],${JSON.stringify(rest).slice(1)}`,
  };
}

export type Columns = ReturnType<typeof createColumns>;
