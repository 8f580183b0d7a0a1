import { useCallback, useMemo, useRef } from 'react';
import { formModelOf } from '../../../domain/form-model.ts';
import { useKeptFocus } from '../use-kept-focus.ts';
import styles from './entity-form.module.css';
import { FieldGroup } from './field-group.tsx';
import { FocusContext, NewsContext, ServicesContext } from './form-context.ts';
import type { EntityFormProps, FormServices } from './form-types.ts';
import { useGrowingCount } from './growing-count.ts';

/** The fields of an entity, from the schema of its type. It keeps no values: each change goes out and comes back. */
export function EntityForm(props: EntityFormProps) {
  const { schema, values } = props;
  const newest = useRef(props);
  newest.current = props;
  const onChange = useCallback((path: string, value: unknown) => newest.current.onChange(path, value), []);
  const onFocus = useCallback((path: string) => newest.current.onFocusField(path), []);
  const groups = useMemo(() => formModelOf(schema, values), [schema, values]);
  const form = useKeptFocus<HTMLDivElement>();
  let room = useGrowingCount(groups.reduce((sum, { fields }) => sum + fields.length, 0));
  return (
    <ServicesContext.Provider value={useStableServices(props)}>
      <FocusContext.Provider value={onFocus}>
        <NewsContext.Provider value={props}>
          <div ref={form} className={styles.form}>
            {groups.map((group) => {
              const limit = room;
              room -= group.fields.length;
              if (limit <= 0) return null;
              return (
                <FieldGroup key={group.id} group={group} limit={limit} values={values} onChange={onChange} />
              );
            })}
          </div>
        </NewsContext.Provider>
      </FocusContext.Provider>
    </ServicesContext.Provider>
  );
}

function useStableServices(props: FormServices): FormServices {
  const { names, typeOf, onOpen, onMake, images, dates, moreOf, plugins, readOnly, messages } = props;
  return useMemo(
    () => ({ names, typeOf, onOpen, onMake, images, dates, moreOf, plugins, readOnly, messages }),
    [names, typeOf, onOpen, onMake, images, dates, moreOf, plugins, readOnly, messages],
  );
}
