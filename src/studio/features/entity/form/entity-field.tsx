import { memo, type ReactNode, Suspense } from 'react';
import { problemOf } from '../../../domain/field-check.ts';
import type { FormField } from '../../../domain/form-field.ts';
import { isPluginWidget } from '../../../domain/widget-names.ts';
import { Avatar } from '../../../kit/ui/avatar.tsx';
import { classNames } from '../../../kit/ui/class-names.ts';
import type { FieldProps } from '../../../kit/ui/field.tsx';
import { TextLink } from '../../../kit/ui/link.tsx';
import styles from './entity-form.module.css';
import { useFocusField, useNews, useServices } from './form-context.ts';
import type { FieldFault, FieldNews, FormServices, PersonHere } from './form-types.ts';
import { shortText } from './short-text.ts';
import { TheirVersion } from './their-version.tsx';
import { useArrival } from './use-arrival.ts';
import type { EntityFieldProps, WidgetProps } from './widget-props.ts';
import { widgetFor } from './widgets/index.ts';

/** A field is there as a whole, with a control that is loaded late too, before the user is led to it. */
export const EntityField = (props: EntityFieldProps) => (
  <Suspense>
    <OneField {...props} />
  </Suspense>
);

function OneField(props: EntityFieldProps) {
  const { errors, theirs = {}, presence = {}, lineHref, onSettle, wanted } = useNews();
  const { path } = props;
  const element = useArrival(
    wanted?.field !== undefined && isOwnPlace(wanted.field, path) ? wanted : undefined,
  );
  const fault = faultAt(path, errors);
  const their = entryAt(theirs, path);
  return (
    <div
      ref={element}
      className={classNames(styles.field, NARROW.has(props.field.widget) && styles.narrow)}
      data-path={path}
    >
      <FieldControl
        {...props}
        faultText={fault?.message}
        faultLine={fault?.line}
        lineHref={lineHref}
        people={entryAt(presence, path)}
      />
      {their && <TheirVersion their={their} onSettle={(side) => onSettle?.(path, side)} />}
    </div>
  );
}

const NARROW: ReadonlySet<string> = new Set(['number', 'year', 'date', 'select', 'toggle', 'range']);

interface FieldControlProps extends EntityFieldProps {
  faultText: string | undefined;
  faultLine: number | undefined;
  lineHref: FieldNews['lineHref'];
  people: readonly PersonHere[] | undefined;
}

const FieldControl = memo(function FieldControl(props: FieldControlProps) {
  const { field, path, value, onChange } = props;
  const services = useServices();
  const onFocus = useFocusField();
  const Widget = widgetFor(field, value);
  const control: WidgetProps = {
    field,
    path,
    value,
    onChange: (next) => onChange(path, next),
    onFocus: () => onFocus(path),
    frame: frameOf(props, services),
    Field: EntityField,
  };
  const { parts } = services;
  if (!parts || !isPluginWidget(field.unknownWidget)) return <Widget {...control} />;
  return (
    <parts.PluginField
      name={field.unknownWidget}
      entity={parts.entity}
      control={{ ...control, frame: { ...control.frame, help: field.help } }}
    >
      <Widget {...control} />
    </parts.PluginField>
  );
});

function frameOf(props: FieldControlProps, services: FormServices): FieldProps {
  const { field, path, people } = props;
  const more = people?.slice(0, 3).map(({ id, name }) => <Avatar key={id} id={id} name={name} size="s" />);
  const own = services.moreOf?.(path);
  return {
    label: field.label,
    help: helpOf(field, services),
    error: errorOf(props, services),
    more: own ? (
      <>
        {more}
        {own}
      </>
    ) : (
      more
    ),
    isReadOnly: services.readOnly,
    isRequired: field.isRequired,
  };
}

function helpOf({ help, unknownWidget }: FormField, { messages }: FormServices): ReactNode {
  if (unknownWidget === null) return help;
  return [help, messages.unknownWidget(shortText(unknownWidget, 60))].filter(Boolean).join(' ');
}

function errorOf(
  { field, value, faultText, faultLine, lineHref }: FieldControlProps,
  { messages }: FormServices,
): ReactNode {
  if (faultText === undefined) {
    const problem = problemOf(field, value);
    return problem === null ? undefined : messages.problem(problem);
  }
  if (faultLine === undefined || lineHref === undefined) return faultText;
  return (
    <>
      {faultText} <TextLink href={lineHref(faultLine)}>{messages.line(faultLine)}</TextLink>
    </>
  );
}

/** Also of an entry within a list, which has no field of its own. */
function faultAt(path: string, errors: FieldNews['errors']): FieldFault | undefined {
  const own = entryAt(errors, path);
  if (own !== undefined) return own;
  const within = Object.keys(errors).find((key) => isOwnPlace(key, path));
  return within === undefined ? undefined : errors[within];
}

/** The path of a field, or of an entry within it. */
const isOwnPlace = (place: string, path: string): boolean =>
  place === path || (place.startsWith(`${path}.`) && /^\d+$/.test(place.slice(path.length + 1)));

const entryAt = <T,>(entries: Readonly<Record<string, T>>, path: string): T | undefined =>
  Object.hasOwn(entries, path) ? entries[path] : undefined;
