import { type ReactElement, useId, useState } from "react";
import {
  type GalleryChoice,
  galleryLocales,
  galleryStates,
  galleryThemes,
  galleryWidths,
} from "../../gallery/choices.ts";
import { galleryAddress } from "./gallery-choice.ts";

type Look = Omit<GalleryChoice, "state">;

function Picker<Value extends string>({
  label,
  values,
  value,
  onPick,
}: {
  readonly label: string;
  readonly values: readonly Value[];
  readonly value: Value;
  readonly onPick: (value: Value) => void;
}): ReactElement {
  const id = useId();
  return (
    <div className="gallery-picker">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onPick(event.currentTarget.value as Value)}>
        {values.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </div>
  );
}

/** Every state as a link, in the look that is picked. */
export function GalleryIndex({ first }: { readonly first: Partial<Look> }): ReactElement {
  const [look, setLook] = useState<Look>({ theme: "light", locale: "en", width: "360", ...first });
  return (
    <main className="gallery-index">
      <h1>The card in every state</h1>
      <div className="gallery-pickers">
        <Picker
          label="Theme"
          values={galleryThemes}
          value={look.theme}
          onPick={(theme) => setLook({ ...look, theme })}
        />
        <Picker
          label="Language"
          values={galleryLocales}
          value={look.locale}
          onPick={(locale) => setLook({ ...look, locale })}
        />
        <Picker
          label="Width"
          values={galleryWidths}
          value={look.width}
          onPick={(width) => setLook({ ...look, width })}
        />
      </div>
      <ul>
        {galleryStates.map((state) => (
          <li key={state}>
            <a href={galleryAddress({ ...look, state })}>{state.replaceAll("_", " ")}</a>
          </li>
        ))}
      </ul>
    </main>
  );
}
