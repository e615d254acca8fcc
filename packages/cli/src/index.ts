export type { Role, RunningServer, ServeOptions } from "./serve-config.ts";
export { serveConfig } from "./serve-config.ts";
