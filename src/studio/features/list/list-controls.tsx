import { useEffect, useMemo, useRef, useState } from 'react';
import { type Command, useCommands } from '../../data/commands.ts';
import type { ListColumn } from '../../domain/list-columns.ts';
import { ENTITY_STATUSES, type ListQuery } from '../../domain/list-query.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { Popover } from '../../kit/ui/popover.tsx';
import { Select } from '../../kit/ui/select.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import styles from './list.module.css';
import { listTexts } from './list-texts.ts';

const TYPING_PAUSE_MS = 200;
/** Selects have no empty key. */
const ANY = '*';

interface ListControlsProps {
  plural: string;
  query: ListQuery;
  columns: readonly ListColumn[];
  shown: readonly ListColumn[];
  onChange: (next: Partial<ListQuery>) => void;
}

export function ListControls({ plural, query, columns, shown, onChange }: ListControlsProps) {
  const texts = useTexts(listTexts);
  const statuses = ENTITY_STATUSES.map((id) => ({ id, label: texts.statuses[id] }));
  const filterable = columns.filter(({ options }) => options.size > 0);
  const count = Object.keys(query.filters).length;
  return (
    <>
      <SearchBox label={texts.search(plural)} text={query.text} onChange={(text) => onChange({ text })} />
      <Select
        label={texts.status}
        isLabelHidden
        placeholder={texts.anyStatus}
        options={[{ id: ANY, label: texts.anyStatus }, ...statuses]}
        value={query.status ?? ANY}
        onChange={(id) => onChange({ status: id === ANY ? null : id })}
      />
      {filterable.length > 0 && (
        <Popover
          label={texts.filter}
          trigger={<Button>{count === 0 ? texts.filter : `${texts.filter} ${count}`}</Button>}
        >
          <div className={styles.choices}>
            {filterable.map((column) => (
              <FieldFilter key={column.path} column={column} query={query} onChange={onChange} />
            ))}
          </div>
        </Popover>
      )}
      <div className={styles.columns}>
        <Popover label={texts.columns} trigger={<Button>{texts.columns}</Button>}>
          <div className={styles.choices}>
            {columns.map(({ path, label }) => (
              <Checkbox
                key={path}
                label={label}
                isChecked={shown.some((column) => column.path === path)}
                onChange={(isChecked) => onChange({ columns: toggled(shown, columns, { path, isChecked }) })}
              />
            ))}
          </div>
        </Popover>
      </div>
    </>
  );
}

interface SearchBoxProps {
  label: string;
  text: string;
  onChange: (text: string) => void;
}

/** The list follows when typing pauses. */
function SearchBox({ label, text: shown, onChange }: SearchBoxProps) {
  const [text, setText] = useState(shown);
  const box = useSearchCommand();
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => setText(shown), [shown]);
  useEffect(() => {
    if (text === shown) return;
    const timer = setTimeout(() => change.current(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, shown]);
  return (
    <div className={styles.search} ref={box}>
      <TextField
        label={label}
        isLabelHidden
        placeholder={label}
        type="search"
        value={text}
        onChange={setText}
      />
    </div>
  );
}

/** `/` leads to the input within the returned element. */
function useSearchCommand() {
  const texts = useTexts(listTexts);
  const box = useRef<HTMLDivElement>(null);
  const commands = useMemo(
    (): Command[] => [
      {
        id: 'search-list',
        title: texts.focusSearch,
        keys: '/',
        group: 'here',
        run: () => box.current?.querySelector('input')?.focus(),
      },
    ],
    [texts],
  );
  useCommands(commands);
  return box;
}

interface FieldFilterProps {
  column: ListColumn;
  query: ListQuery;
  onChange: (next: Partial<ListQuery>) => void;
}

function FieldFilter({ column: { path, label, options }, query, onChange }: FieldFilterProps) {
  const texts = useTexts(listTexts);
  const choose = (id: string) => {
    const { [path]: _, ...others } = query.filters;
    onChange({ filters: id === ANY ? others : { ...others, [path]: id } });
  };
  return (
    <Select
      label={label}
      placeholder={texts.any}
      options={[{ id: ANY, label: texts.any }, ...[...options].map(([id, text]) => ({ id, label: text }))]}
      value={query.filters[path] ?? ANY}
      onChange={choose}
    />
  );
}

/** The columns with one more or one less, in the order of the template. */
function toggled(
  shown: readonly ListColumn[],
  all: readonly ListColumn[],
  { path, isChecked }: { path: string; isChecked: boolean },
): string[] {
  const paths = new Set(shown.map((column) => column.path));
  if (isChecked) paths.add(path);
  else paths.delete(path);
  return all.flatMap((column) => (paths.has(column.path) ? [column.path] : []));
}
