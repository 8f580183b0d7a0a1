import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Compared, createTextMerger, type MergeTexts, type TextMerger } from './merge-texts.ts';
import classes from './merge-view.module.css';

export interface MergeMessages {
  mine: string;
  theirs: string;
  base: string;
  differences(count: number): string;
  next: string;
  previous: string;
  takeOther: string;
  takeBoth: string;
}

export interface MergeViewProps {
  /** Those of the first render: give it a `key` where they change. */
  texts: MergeTexts;
  language: string;
  messages: MergeMessages;
  onChange(text: string): void;
}

/** My text beside theirs, or beside the one that both began with. It begins with what can be merged without asking. */
export function MergeView({ texts, language, messages, onChange }: MergeViewProps) {
  const parent = useRef<HTMLDivElement>(null);
  const merger = useRef<TextMerger>(null);
  const first = useRef({ texts, language, messages });
  const changed = useRef(onChange);
  changed.current = onChange;
  const [differences, setDifferences] = useState(0);
  const [compared, setCompared] = useState<Compared>('theirs');

  useEffect(() => {
    if (!parent.current) return;
    const { messages, ...given } = first.current;
    const made = createTextMerger({
      ...given,
      parent: parent.current,
      labels: { other: messages.theirs, result: messages.mine },
      onChange: (text) => changed.current(text),
      onDifferences: setDifferences,
    });
    merger.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => merger.current?.compareWith(compared, messages[compared]), [compared, messages]);

  const side = (name: Compared): ReactNode => (
    <button type="button" aria-pressed={compared === name} onClick={() => setCompared(name)}>
      {messages[name]}
    </button>
  );
  const action = (label: string, run: (merger: TextMerger) => void): ReactNode => (
    <button type="button" onClick={() => merger.current && run(merger.current)}>
      {label}
    </button>
  );

  return (
    <>
      <div className={classes.bar} role="toolbar" aria-label={messages.mine}>
        {side('theirs')}
        {side('base')}
        <span role="status">{messages.differences(differences)}</span>
        {action(messages.previous, (made) => made.previous())}
        {action(messages.next, (made) => made.next())}
        {action(messages.takeOther, (made) => made.takeOther())}
        {action(messages.takeBoth, (made) => made.takeBoth())}
      </div>
      <div ref={parent} className={classes.texts} />
    </>
  );
}
