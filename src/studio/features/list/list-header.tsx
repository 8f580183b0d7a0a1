import type { ListColumn } from '../../domain/list-columns.ts';
import type { ListQuery, SortColumn } from '../../domain/list-query.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Icon } from '../../kit/ui/icons.tsx';
import styles from './list.module.css';
import { listTexts } from './list-texts.ts';

interface ListHeaderProps {
  columns: readonly ListColumn[];
  query: ListQuery;
  onSort: (column: SortColumn, isDescending: boolean) => void;
}

export function ListHeader({ columns, query, onSort }: ListHeaderProps) {
  const texts = useTexts(listTexts);
  const sortable = (column: SortColumn, label: string) => {
    const isSorted = query.sort === column;
    return (
      <th
        scope="col"
        className={styles.header}
        aria-sort={isSorted ? (query.isDescending ? 'descending' : 'ascending') : 'none'}
      >
        <button
          type="button"
          className={styles.sort}
          onClick={() => onSort(column, isSorted ? !query.isDescending : column !== 'name')}
        >
          {label}
          {isSorted && <Icon name={query.isDescending ? 'chevronDown' : 'chevronUp'} size={14} />}
        </button>
      </th>
    );
  };
  return (
    <thead>
      <tr aria-rowindex={1} className={styles.headers}>
        {sortable('name', texts.name)}
        {columns.map(({ path, label }) => (
          <th key={path} scope="col" className={styles.header} dir="auto">
            {label}
          </th>
        ))}
        {sortable('status', texts.status)}
        {sortable('updated_at', texts.updated)}
      </tr>
    </thead>
  );
}
