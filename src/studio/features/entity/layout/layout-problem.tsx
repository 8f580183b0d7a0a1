import { useWorld } from '../../../data/world.tsx';
import { addressOf } from '../../../domain/places.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { TextLink } from '../../../kit/ui/link.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { problemTexts } from './problem-texts.ts';

/** For those who can mend it: others see the form as the template has it. */
export function LayoutProblem({ type }: { type: string }) {
  const texts = useTexts(problemTexts);
  const { project } = useWorld();
  return (
    <Notice>
      {texts.unreadable}{' '}
      <TextLink href={addressOf({ screen: 'layout', project, type })}>{texts.why}</TextLink>
    </Notice>
  );
}
