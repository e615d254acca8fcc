import { type ReactElement, type ReactNode, useEffect, useRef } from "react";
import { fill, fillPlural } from "../messages/fill.ts";
import type { Messages } from "../messages/messages.ts";
import { timeText } from "../messages/time-text.ts";
import { type EditableField, editableFields, type Fault, isNumeric } from "../model/entries.ts";
import type { OpenView } from "../model/view.ts";
import { Button } from "./button.tsx";
import { notice } from "./notice.tsx";
import { Row } from "./row.tsx";
import type { CardScope } from "./scope.ts";

/** A view that has the inputs. */
export type FormView = Extract<OpenView, { entries: unknown }>;

type Table = { readonly [format in EditableField["format"]]?: string };

const types: Table = { date: "date", datetime: "datetime-local", email: "email", phone: "tel", url: "url" };
const completions: Table = { email: "email", phone: "tel", masked: "off" };

const faultText = ({ code, text, limit = "" }: Fault, { faults, refused }: Messages): string =>
  code === "refused" ? (text ?? refused) : fill(faults[code], limit);

const dayText = (entry: string, { locale }: Messages): string =>
  /^\d{4}-\d\d-\d\d$/.test(entry) ? timeText(locale, entry, "UTC", "day") : "";

/** One labelled native input, with its help and its error. */
function fieldInput({ id, messages, model }: CardScope, field: EditableField, view: FormView): ReactElement {
  const { argument, format, input, help, currency } = field;
  const own = `${id}-input-${argument}`;
  const saving = view.state === "saving";
  const entry = view.entries[argument] ?? "";
  const fault = view.faults[argument];
  const either = [
    { value: true, label: messages.yes },
    { value: false, label: messages.no },
  ];
  const choices = input.options ?? (input.type === "boolean" ? either : null);
  const Control = choices ? "select" : format === "multiline" ? "textarea" : "input";
  const notes: readonly (readonly [string, ReactNode])[] = [
    ["cs-affix", format === "percent" ? "%" : currency],
    ["cs-error", fault && faultText(fault, messages)],
    ["cs-help", format === "masked" && fill(messages.maskedHelp, field.display)],
    // The browser draws dates in its own order of day and month; in words there is only one way to read them.
    ["cs-help", format === "date" && dayText(entry, messages)],
    ["cs-help", help],
    ["cs-help", format === "datetime" && fill(messages.inZone, view.card.timeZone)],
  ];
  const said = notes.filter(([, text]) => text);
  return (
    <Row key={argument} label={<label htmlFor={own}>{field.label}</label>}>
      <Control
        id={own}
        name={argument}
        className="cs-input"
        value={entry}
        dir="auto"
        autoFocus={argument === view.opened} // the customer has just asked for this field
        aria-required={input.required}
        aria-invalid={fault ? true : undefined}
        aria-describedby={said.map((_, index) => `${own}-${index}`).join(" ") || undefined}
        aria-disabled={saving || undefined}
        onChange={(event) => saving || model.enter(argument, event.target.value)}
        {...(Control === "input" && {
          // Not type="number": it turns what was typed into a float, and a scroll over it changes the amount.
          type: types[format],
          inputMode: isNumeric(field) ? ("decimal" as const) : undefined,
          autoComplete: completions[format],
        })}
      >
        {choices && (
          <>
            {(!input.required || entry === "") && <option value="">{messages.choose}</option>}
            {choices.map(({ value, label }) => (
              <option key={label} value={JSON.stringify(value)}>
                {label}
              </option>
            ))}
          </>
        )}
      </Control>
      {said.map(([className, text], index) => (
        <span className={className} id={`${own}-${index}`} key={className + text}>
          {text}
        </span>
      ))}
    </Row>
  );
}

/** The inputs of a card, and the two ways out of them. Neither Enter nor Escape decides anything. */
export function EditForm({
  scope,
  view,
}: {
  readonly scope: CardScope;
  readonly view: FormView;
}): ReactElement {
  const { messages, model } = scope;
  const form = useRef<HTMLFormElement>(null);
  const saving = view.state === "saving";
  const fields = editableFields(view.card);
  const lines = fields.flatMap(({ argument, label }) => {
    const fault = view.faults[argument];
    return fault ? <p key={argument}>{`${label}: ${faultText(fault, messages)}`}</p> : [];
  });
  useEffect(() => {
    if (view.attempt) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [view.attempt]);
  return (
    <>
      {lines.length > 0 &&
        notice("danger", true, `${fillPlural(messages.cannotSave, lines.length, messages)}\n`, lines)}
      <form
        className="cs-edit"
        noValidate
        ref={form}
        onSubmit={(event) => event.preventDefault()} // Enter in a field saves nothing
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
          event.stopPropagation();
          model.discard();
        }}
      >
        <dl>{fields.map((field) => fieldInput(scope, field, view))}</dl>
        <Button kind="save" off={saving} busy={saving && messages.saving} onClick={model.save}>
          {messages.save}
        </Button>
        {!saving && (
          <Button kind="text" onClick={model.discard}>
            {messages.discard}
          </Button>
        )}
      </form>
    </>
  );
}
