declare module "*.css?shadow" {
  /** The style sheet as a text for a shadow tree; see card-styles.ts. */
  const text: string;
  // biome-ignore lint/style/noDefaultExport: what a bundler hands over for a style sheet
  export default text;
}
