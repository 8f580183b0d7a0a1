// The script of public/widget.html: a control for a field. A template or layout chooses it by its name, plugin:my-plugin:slider.
import { canonry } from '../canonry/panel.ts';

const slider = document.querySelector<HTMLInputElement>('#slider');
const output = document.querySelector<HTMLOutputElement>('#shown');
if (!slider || !output) throw new Error('widget.html lacks its elements');

const widget = canonry.widget({
  // Called when the field is shown, and when its value changes otherwise. What the widget says itself is not told back.
  onUpdate({ value, disabled, options }) {
    slider.min = String(options.min ?? 0);
    slider.max = String(options.max ?? 10);
    slider.valueAsNumber = Number(value ?? slider.min);
    slider.disabled = disabled;
    output.value = value === null ? 'none yet' : String(value);
  },
});

slider.addEventListener('input', () => {
  output.value = slider.value;
  widget.change(slider.valueAsNumber);
});
