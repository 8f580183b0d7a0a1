import { type ReactNode, useId } from 'react';
import { errorClass, type FieldProps, helpClass } from './field.tsx';

/** Help and error of a control that React Aria does not know, and the ids by which the control names them. */
export function useFieldNotes({ help, error }: FieldProps): {
  notes: ReactNode;
  describedBy: string | undefined;
} {
  const id = useId();
  const notes = [
    { key: `${id}help`, className: helpClass, text: help },
    { key: `${id}error`, className: errorClass, text: error },
  ].filter(({ text }) => Boolean(text));
  return {
    notes: notes.map(({ key, className, text }) => (
      <div key={key} id={key} className={className}>
        {text}
      </div>
    )),
    describedBy: notes.map(({ key }) => key).join(' ') || undefined,
  };
}
