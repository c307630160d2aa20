/** The fields of forms, each with its label. All forms work without script. */
import type { FC, JSX } from "hono/jsx";

import type { ConsoleUser } from "../../db/workspaces/find-workspace.ts";
import { ownName } from "../../edge/actor-name.ts";

type FieldProps = JSX.IntrinsicElements["input"] & { label: string; name: string; grow?: boolean };

export const Field: FC<FieldProps> = ({ label, grow, ...input }) => (
  <label class={grow === true ? "field grow" : "field"}>
    {label}
    <input {...input} />
  </label>
);

/** As the schema of the API has it. */
export const MAX_OWNER_CHARACTERS = 128;

/** Names an owner. Browsers offer those that are in use. */
export const OwnerField: FC<{ owners: readonly string[]; value: string; placeholder: string }> = ({
  owners,
  value,
  placeholder,
}) => (
  <>
    <Field
      label="Owner"
      name="owner"
      maxlength={MAX_OWNER_CHARACTERS}
      list="owners"
      data-key="o"
      value={value}
      placeholder={placeholder}
    />
    <datalist id="owners">
      {owners.map((owner) => (
        <option value={owner} />
      ))}
    </datalist>
  </>
);

/** Makes the person who looks at an account its owner. Comes after the form's own button, which Enter presses. */
export const AssignToMe: FC<{ user: ConsoleUser; owner: string | null }> = ({ user, owner }) => {
  const own = ownName(user);
  return own === null || own === owner ? null : (
    <button class="no-print" type="submit" name="owner" value={own}>
      Assign to me
    </button>
  );
};

interface SelectProps {
  label: string;
  /** Default: above the field. */
  labelPlace?: "beside" | "hidden";
  name: string;
  id?: string;
  /** Of the label. */
  class?: string;
  options: readonly (readonly [value: string, text: string])[];
  selected: string | undefined;
}

export const Select: FC<SelectProps> = ({ label, labelPlace, class: name, options, selected, ...select }) => (
  <label class={`${labelPlace === undefined ? "field" : "cluster"} ${name ?? ""}`.trim()}>
    <span class={labelPlace === "hidden" ? "visually-hidden" : undefined}>{label}</span>
    <select {...select}>
      {options.map(([value, text]) => (
        <option value={value} selected={value === selected}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
