/** The fields of forms, each with its label. All forms work without script. */
import type { FC, JSX } from "hono/jsx";

type FieldProps = JSX.IntrinsicElements["input"] & { label: string; name: string; grow?: boolean };

export const Field: FC<FieldProps> = ({ label, grow, ...input }) => (
  <label class={grow === true ? "field grow" : "field"}>
    {label}
    <input {...input} />
  </label>
);

interface SelectProps {
  label: string;
  /** Default: above the field. */
  labelPlace?: "beside" | "hidden";
  name: string;
  options: readonly (readonly [value: string, text: string])[];
  selected: string | undefined;
}

export const Select: FC<SelectProps> = ({ label, labelPlace, name, options, selected }) => (
  <label class={labelPlace === undefined ? "field" : "cluster"}>
    <span class={labelPlace === "hidden" ? "visually-hidden" : undefined}>{label}</span>
    <select name={name}>
      {options.map(([value, text]) => (
        <option value={value} selected={value === selected}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
