// Fields of forms, each with its label.

import type { ComponentChildren } from 'preact';

export interface TextFieldProps {
  label: ComponentChildren;
  value: string;
  onValue(value: string): void;
  /** How it stands: label above, or beside. */
  above?: boolean;
  class?: string;
  /** A number between these, both included. */
  range?: [number, number];
  invalid?: boolean;
  describedBy?: string;
  placeholder?: string;
  testid?: string;
}

export function TextField(props: TextFieldProps) {
  const { range } = props;
  const common = {
    class: props.class, value: props.value, spellcheck: false, placeholder: props.placeholder,
    'aria-invalid': props.invalid, 'aria-describedby': props.describedBy, 'data-testid': props.testid,
    onInput: (event: { currentTarget: HTMLInputElement }) => props.onValue(event.currentTarget.value),
  };
  return (
    <label class={props.above ? 'field' : 'inline'}>
      {props.label}{' '}
      {range ? <input type="number" min={range[0]} max={range[1]} {...common} /> : <input type="text" {...common} />}
    </label>
  );
}

export interface CheckFieldProps {
  label: string;
  checked: boolean;
  onChecked(checked: boolean): void;
}

export function CheckField({ label, checked, onChecked }: CheckFieldProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChecked(event.currentTarget.checked)} /> {label}
    </label>
  );
}
