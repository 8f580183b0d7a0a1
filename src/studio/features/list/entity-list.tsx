import { Suspense, useMemo } from 'react';
import { useSchema } from '../../data/types.ts';
import { useWorld } from '../../data/world.tsx';
import { columnsOf, firstColumnsOf, type ListColumn } from '../../domain/list-columns.ts';
import { EVERYTHING, type ListQuery, listQueryOf, searchOf } from '../../domain/list-query.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { goTo, useAddress } from '../../kit/router/router.ts';
import { late } from '../../kit/ui/late.tsx';
import { LinkButton } from '../../kit/ui/link.tsx';
import styles from './list.module.css';
import { ListTable } from './list-table.tsx';
import { listTexts } from './list-texts.ts';

// They come while the rows are on their way.
const ListControls = late(async () => (await import('./list-controls.tsx')).ListControls);

/** The entities of a type. Search, filters, order and columns stand in the address, so that a list can be sent. */
export function EntityList({ type }: { type: string }) {
  const texts = useTexts(listTexts);
  const { project, typeOf, can } = useWorld();
  const { search, path } = useAddress();
  const schema = useSchema(project, type);
  const query = useMemo(() => listQueryOf(search), [search]);
  const all = useMemo(() => columnsOf(schema.data ?? {}), [schema.data]);
  const columns = useMemo(() => shownColumns(query, all, schema.data), [query, all, schema.data]);
  const found = typeOf(type);
  const plural = found?.plural ?? type;

  const change = (next: Partial<ListQuery>) => {
    const asked = searchOf({ ...query, ...next });
    goTo(asked === '' ? path : `${path}?${asked}`, { replace: true });
  };

  return (
    <section className={styles.list}>
      <title>{plural}</title>
      <header className={styles.head}>
        <h1 className={styles.title} tabIndex={-1} dir="auto">
          {plural}
        </h1>
        {can('create_entities') && (
          <LinkButton tone="primary" href={addressOf({ screen: 'new', project, type })}>
            {texts.make(found?.label ?? type)}
          </LinkButton>
        )}
      </header>
      <div className={styles.controls}>
        <Suspense>
          <ListControls plural={plural} query={query} columns={all} shown={columns} onChange={change} />
        </Suspense>
      </div>
      {schema.isFetched && (
        <ListTable
          type={type}
          query={query}
          columns={columns}
          onSort={(sort, isDescending) => change({ sort, isDescending })}
          onClear={() => change({ ...EVERYTHING, columns: query.columns })}
        />
      )}
    </section>
  );
}

function shownColumns(
  query: ListQuery,
  all: readonly ListColumn[],
  schema: Readonly<Record<string, unknown>> | undefined,
): ListColumn[] {
  const paths = query.columns ?? firstColumnsOf(schema ?? {});
  return paths.flatMap((path) => all.find((column) => column.path === path) ?? []);
}
