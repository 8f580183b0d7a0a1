import '../theme/base.css';
import { type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Button, IconButton } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { ColorField } from './color-field.tsx';
import { ComboBox } from './combo-box.tsx';
import styles from './gallery.module.css';
import { Icon } from './icons.tsx';
import { NumberField } from './number-field.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { RadioGroup } from './radio-group.tsx';
import { Select } from './select.tsx';
import { Slider } from './slider.tsx';
import { Switch } from './switch.tsx';
import { TagField } from './tag-field.tsx';
import { showToast, Toasts } from './toasts.tsx';
import { UiProvider } from './ui-provider.tsx';

declare global {
  interface Window {
    /** The newest value of each control, by its label. */
    values: Record<string, unknown>;
  }
}
window.values = {};

interface DemoProps<T> {
  start: T;
  name: string;
  children: (value: T, change: (value: T) => void) => ReactNode;
}

function Demo<T>({ start, name, children }: DemoProps<T>) {
  const [value, setValue] = useState(start);
  return children(value, (next) => {
    window.values[name] = next;
    setValue(next);
  });
}

const ROLES = ['Protagonist', 'Second lead', 'Antagonist', 'Mentor', 'Supporting'].map((label) => ({
  id: label.toLowerCase(),
  label,
}));
const PLACES = [
  { id: 'bell_house', label: 'Bell House', detail: 'Location', color: '#3F6E8C' },
  { id: 'bell_stair', label: 'Bell Stair', detail: 'Location', color: '#3F6E8C' },
  { id: 'orla_fenn', label: 'Orla Fenn', detail: 'Character', color: '#C8553D' },
];
const SWATCHES = [
  { value: '#A9C6D4', label: 'Haze', hex: '#A9C6D4' },
  { value: '#8B8780', label: 'Ash', hex: '#8B8780' },
  { value: '#6FB1E0', label: 'Clear', hex: '#6FB1E0' },
];
const steps = { more: 'More', less: 'Less' };
const moreText = (count: number) => `${count} more`;

const Numbers = () => (
  <section className={styles.section}>
    <Demo name="Age" start={12 as number | string | null}>
      {(value, change) => (
        <NumberField
          label="Age"
          value={value}
          onChange={change}
          min={0}
          max={14}
          buttons={steps}
          help="In years"
        />
      )}
    </Demo>
    <NumberField
      label="Age when"
      value="twelve"
      onChange={() => {}}
      buttons={steps}
      error="This is no number. Write 12."
    />
    <NumberField label="Fixed age" value={3} onChange={() => {}} buttons={steps} isDisabled />
    <Demo name="Courage" start={5 as number | null}>
      {(value, change) => (
        <Slider
          label="Courage"
          value={value}
          onChange={change}
          min={0}
          max={10}
          emptyText="–"
          help="From 0 to 10"
        />
      )}
    </Demo>
    <Slider label="Danger" value={null} onChange={() => {}} min={0} max={10} emptyText="not set" />
    <Slider
      label="Fixed danger"
      value={7}
      onChange={() => {}}
      min={0}
      max={10}
      emptyText="–"
      isDisabled
      error="At most 5"
    />
  </section>
);

const Choices = () => (
  <section className={styles.section}>
    <Demo name="Role" start={null as string | null}>
      {(value, change) => (
        <Select
          label="Role"
          options={ROLES}
          value={value}
          onChange={change}
          placeholder="Choose"
          more={
            <IconButton
              size="s"
              label="More about the role"
              icon={<Icon name="more" />}
              onPress={() => change('mentor')}
            />
          }
        />
      )}
    </Demo>
    <Select
      label="Wrong role"
      options={ROLES}
      value="mentor"
      onChange={() => {}}
      placeholder="Choose"
      error="No mentor here"
    />
    <Select
      label="Fixed role"
      options={ROLES}
      value="mentor"
      onChange={() => {}}
      placeholder="Choose"
      isDisabled
    />
    <Demo name="Arc" start="flat">
      {(value, change) => (
        <RadioGroup
          label="Arc"
          look="segmented"
          options={[
            { id: 'up', label: 'Learns' },
            { id: 'flat', label: 'Holds' },
            { id: 'down', label: 'Falls' },
          ]}
          value={value}
          onChange={change}
        />
      )}
    </Demo>
    <RadioGroup
      label="Pay"
      look="horizontal"
      options={ROLES.slice(0, 3)}
      value="mentor"
      onChange={() => {}}
      error="Choose one"
    />
    <RadioGroup
      label="Fixed pay"
      options={ROLES.slice(0, 2)}
      value="protagonist"
      onChange={() => {}}
      isDisabled
    />
    <Demo name="Playable" start={true}>
      {(value, change) => <Switch label="Playable" isOn={value} onChange={change} help="In the game" />}
    </Demo>
    <Switch label="Fixed switch" isOn={false} onChange={() => {}} isDisabled />
    <Demo name="Remember" start={false}>
      {(value, change) => <Checkbox label="Remember" isChecked={value} onChange={change} />}
    </Demo>
    <Checkbox label="Partly" isChecked={false} isPartly onChange={() => {}} error="Not all" />
  </section>
);

const Words = () => (
  <section className={styles.section}>
    <Demo name="Skills" start={['listening', 'cooking for forty']}>
      {(value, change) => (
        <TagField
          label="Skills"
          tags={value}
          onChange={change}
          suggestions={['bookkeeping', 'lockpicking']}
          moreText={moreText}
        />
      )}
    </Demo>
    <TagField label="Fixed skills" tags={['one']} onChange={() => {}} moreText={moreText} isDisabled />
    <Demo name="Hoard" start={Array.from({ length: 5000 }, (_, index) => `coin ${index}`)}>
      {(value, change) => (
        <TagField label="Hoard" tags={value} onChange={change} moreText={moreText} error="Too many" />
      )}
    </Demo>
    <Demo name="Place text" start="">
      {(text, setText) => (
        <ComboBox
          label="Place"
          options={PLACES.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))}
          text={text}
          onTextChange={setText}
          onPick={(id) => {
            window.values.Place = id;
            setText('');
          }}
          emptyText="Nothing has this name"
          placeholder="Find a place"
        />
      )}
    </Demo>
    <Demo name="Sky" start="#A9C6D4">
      {(value, change) => (
        <ColorField
          label="Sky"
          value={value}
          onChange={change}
          swatches={SWATCHES}
          pickLabel="Pick the sky"
        />
      )}
    </Demo>
    <ColorField
      label="Fixed sky"
      value="no colour"
      onChange={() => {}}
      pickLabel="Pick"
      isDisabled
      error="Write #aabbcc"
    />
    <ProgressBar label="Upload" share={0.4} />
    <Button
      onPress={() =>
        showToast({
          text: 'Deleted Mira Vale',
          tone: 'success',
          action: { label: 'Undo', onPress: () => {} },
        })
      }
    >
      Show a toast
    </Button>
  </section>
);

const direction = new URLSearchParams(location.search).get('dir') ?? 'ltr';
document.documentElement.dir = direction;

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <UiProvider locale={direction === 'rtl' ? 'ar' : 'en'} navigate={() => {}}>
      <h1 className={styles.heading}>Fields</h1>
      <div className={styles.columns}>
        <Numbers />
        <Choices />
        <Words />
      </div>
      <Toasts label="News" closeLabel="Close" />
    </UiProvider>,
  );
