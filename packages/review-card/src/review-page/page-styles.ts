const text = `
:root { color-scheme: light dark; }
body { margin: 0; background: light-dark(#f5f6f8, #0f1115); color: light-dark(#12161c, #eef0f3);
  font: 1rem/1.5 system-ui, sans-serif; }
main { box-sizing: border-box; max-inline-size: 37rem; margin-inline: auto; padding: 1.5rem 1rem 3rem; }
h1 { margin: 0 0 1rem; font-size: 1.25rem; line-height: 1.3; }
p { margin: 0 0 1rem; }
p:empty { display: none; }
button { min-block-size: 2.75rem; padding-inline: 1rem; border: 1px solid; border-radius: 0.5rem; background: none;
  color: inherit; font: inherit; }
`;

/** The little the page has around the card. It reads as well without. */
export function stylePage(document: Document): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  } catch {
    // a browser that lets no script make a style sheet
  }
}
