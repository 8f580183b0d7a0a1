import { isLocalId } from '../../../domain/drafts/draft.ts';
import { BODY } from '../../../domain/field-path.ts';
import { addressOf } from '../../../domain/places.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { TextLink } from '../../../kit/ui/link.tsx';
import type { BlockProps } from '../form/form-types.ts';
import { blockTexts } from './block-texts.ts';
import styles from './layout.module.css';
import { PlacedPanel } from './placed-panel.tsx';

/** A part that a layout places between fields. Text and references have places of their own, to which a link leads. */
export function Block({ name, entity }: BlockProps) {
  const texts = useTexts(blockTexts);
  if (name === BODY)
    return (
      <p className={styles.line}>
        <TextLink href={addressOf({ screen: 'entity', ...entity, field: BODY })}>{texts.toText}</TextLink>
      </p>
    );
  if (name === 'references')
    return (
      <p className={styles.line}>
        <TextLink href={addressOf({ screen: 'entity', ...entity, tab: 'references' })}>
          {texts.toReferences}
        </TextLink>
      </p>
    );
  if (isLocalId(entity.id)) return <p className={styles.line}>{texts.onceSaved}</p>;
  return <PlacedPanel name={name} entity={entity} />;
}
