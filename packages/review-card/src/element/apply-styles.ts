import text from "../card.css?shadow";

// The page's own script may put something else in the place of these later.
const { CSSStyleSheet: Sheet, document: firstDocument } = globalThis as Partial<typeof globalThis>;
const script = firstDocument?.currentScript;
const besideScript =
  script && "src" in script && script.src ? new URL("review-card.shadow.css", script.src).href : undefined;

let shared: CSSStyleSheet | undefined;

/** A style sheet may only be adopted in the document it was made in; nearly all cards stand in the first one. */
function sheetFor(owner: Document): CSSStyleSheet | undefined {
  const Own = owner === firstDocument ? Sheet : owner.defaultView?.CSSStyleSheet;
  if (!Own || (owner === firstDocument && shared)) return shared;
  const sheet = new Own();
  sheet.replaceSync(text);
  if (owner === firstDocument) shared = sheet;
  return sheet;
}

function adopt(tree: ShadowRoot): boolean {
  try {
    const sheet = sheetFor(tree.ownerDocument);
    if (!sheet || !("adoptedStyleSheets" in tree)) return false;
    tree.adoptedStyleSheets = [sheet];
    return true;
  } catch {
    return false; // a browser, or a page, in which style sheets cannot be made
  }
}

/** What `1rem` stands for in the card: the text size that the customer's browser is set to. */
function registerSize(owner: Document): void {
  try {
    owner.defaultView?.CSS.registerProperty({
      name: "--_rem",
      syntax: "<length>",
      inherits: true,
      initialValue: "16px",
    });
  } catch {
    // registered already, by another card or another copy of this script
  }
}

/**
 * Gives a shadow tree its styles. A style sheet made by a script needs no permission of a Content-Security-Policy; where
 * none can be made the file of the same content is linked, which `style-src` must allow. Returns whether it had to be.
 */
export function applyStyles(tree: ShadowRoot, stylesUrl: string | undefined): "adopted" | "linked" | "none" {
  for (const link of tree.querySelectorAll("link")) link.remove();
  registerSize(tree.ownerDocument);
  if (adopt(tree)) return "adopted";
  const href = stylesUrl ?? besideScript;
  if (href === undefined) return "none";
  const link = tree.ownerDocument.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  tree.prepend(link);
  return "linked";
}
