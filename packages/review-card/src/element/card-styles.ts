/**
 * A style sheet for the card that depends on nothing of the page it stands in, from the one it has in a page.
 *
 * In a shadow tree `rem` is still the size of the page's own root; it becomes the size that the customer's browser is
 * set to, which the element measures. Comments and spare white space go, which no rule of the card needs.
 */
export function shadowStyles(cardCss: string): string {
  const own = `:host([hidden]){display:none!important}
:host(:not([hidden])){display:block!important}
:host{visibility:visible!important;opacity:1!important;filter:none!important;clip-path:none!important;mask:none!important;
block-size:auto!important;max-block-size:none!important;overflow:visible!important;zoom:1!important}
.root{all:initial;display:block;--_rem:1em}
`;
  return `${own}${cardCss}`
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(
      /(@container[^{]*?)([\d.]+)rem/g,
      (_, before: string, size: string) => `${before}${16 * Number(size)}px`,
    )
    .replaceAll(/(?<![\w-])([\d.]+)rem\b/g, (_, size: string) =>
      size === "1" ? "var(--_rem)" : `calc(${size}*var(--_rem))`,
    )
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,]) ?/g, "$1")
    .replaceAll(": ", ":")
    .replaceAll(";}", "}")
    .trim();
}
