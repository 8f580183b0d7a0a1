import { useCallback, useMemo, useRef } from 'react';
import type { FormGroup } from '../../../domain/form-model.ts';
import { useKeptFocus } from '../use-kept-focus.ts';
import styles from './entity-form.module.css';
import { FocusContext, NewsContext, ServicesContext } from './form-context.ts';
import type { EntityFormProps, FormServices } from './form-types.ts';
import { useGrowingCount } from './growing-count.ts';

/** The fields of an entity, from the schema of its type. It keeps no values: each change goes out and comes back. */
export function EntityForm(props: EntityFormProps) {
  const { arrangement, schema, values } = props;
  const { groupsOf, Group } = arrangement;
  const newest = useRef(props);
  newest.current = props;
  const onChange = useCallback((path: string, value: unknown) => newest.current.onChange(path, value), []);
  const onFocus = useCallback((path: string) => newest.current.onFocusField(path), []);
  const groups = useMemo(() => groupsOf(schema, values), [groupsOf, schema, values]);
  const form = useKeptFocus<HTMLDivElement>();
  let room = useGrowingCount(groups.reduce((sum, group) => sum + sizeOf(group), 0));
  return (
    <ServicesContext.Provider value={useStableServices(props)}>
      <FocusContext.Provider value={onFocus}>
        <NewsContext.Provider value={props}>
          <div ref={form} className={styles.form}>
            {groups.map((group) => {
              const limit = room;
              room -= sizeOf(group);
              if (limit <= 0) return null;
              return <Group key={group.id} group={group} limit={limit} values={values} onChange={onChange} />;
            })}
          </div>
        </NewsContext.Provider>
      </FocusContext.Provider>
    </ServicesContext.Provider>
  );
}

/** A group of a layout may have no field at all. */
const sizeOf = ({ fields }: FormGroup): number => Math.max(fields.length, 1);

function useStableServices(props: FormServices): FormServices {
  const { names, typeOf, onOpen, onMake, images, dates, moreOf, parts, readOnly, messages } = props;
  return useMemo(
    () => ({ names, typeOf, onOpen, onMake, images, dates, moreOf, parts, readOnly, messages }),
    [names, typeOf, onOpen, onMake, images, dates, moreOf, parts, readOnly, messages],
  );
}
