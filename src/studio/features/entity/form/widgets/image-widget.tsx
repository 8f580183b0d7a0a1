import { useState } from 'react';
import { clearedValue, textOfValue } from '../../../../domain/field-value.ts';
import { Button } from '../../../../kit/ui/button.tsx';
import { FieldBox } from '../../../../kit/ui/field-box.tsx';
import { DropArea, FileButton } from '../../../../kit/ui/file-drop.tsx';
import { TextField } from '../../../../kit/ui/text-field.tsx';
import { useServices } from '../form-context.ts';
import type { WidgetProps } from '../widget-props.ts';
import styles from './widgets.module.css';

export function ImageWidget({ field, value, onChange, onFocus, frame }: WidgetProps) {
  const { images, messages, readOnly } = useServices();
  const [state, setState] = useState<'ready' | 'uploading' | 'failed'>('ready');
  const path = textOfValue(value) ?? '';
  const upload = async (file: File) => {
    setState('uploading');
    try {
      onChange(await images.upload(file));
      setState('ready');
    } catch {
      setState('failed');
    }
  };
  const error = state === 'failed' ? messages.uploadFailed : frame.error;
  return (
    <FieldBox {...frame} error={error}>
      <DropArea onDrop={upload} isDisabled={readOnly}>
        <div className={styles.image}>
          <Picture path={path} />
          <div className={styles.imageActions}>
            {path !== '' && (
              <TextField
                label={`${frame.label}: ${messages.pathOfPicture}`}
                isLabelHidden
                isReadOnly={readOnly}
                value={path}
                onChange={onChange}
                onFocus={onFocus}
              />
            )}
            {!readOnly && (
              <div className={styles.chips}>
                <FileButton accept={['image/*']} onPick={upload}>
                  {state === 'uploading'
                    ? messages.uploading
                    : path === ''
                      ? messages.choosePicture
                      : messages.replacePicture}
                </FileButton>
                {path === '' ? (
                  <span className={styles.quiet}>{messages.dropPicture}</span>
                ) : (
                  <Button
                    tone="quiet"
                    label={`${frame.label}: ${messages.remove}`}
                    onPress={() => onChange(clearedValue(field))}
                  >
                    {messages.remove}
                  </Button>
                )}
              </div>
            )}
          </div>
        </div>
      </DropArea>
    </FieldBox>
  );
}

function Picture({ path }: { path: string }) {
  const { images, messages } = useServices();
  const [broken, setBroken] = useState<string>();
  if (path === '') return null;
  const src = images.resolve(path);
  if (src === null || broken === src) return <p className={styles.quiet}>{messages.noPicture}</p>;
  return <img src={src} alt="" loading="lazy" className={styles.picture} onError={() => setBroken(src)} />;
}
