import { startShop } from "./start-shop.ts";

const { SHOP_FILE: file, SHOP_API_KEY: apiKey, SHOP_PORT: port } = process.env;
if (file === undefined || apiKey === undefined)
  throw new Error("The shop needs SHOP_FILE and SHOP_API_KEY. Set both and start again.");

const shop = await startShop({ file, apiKey, port: Number(port ?? 0) });
process.send?.({ url: shop.url });

const stop = (): void => {
  void shop.close().then(() => process.exit(0));
};
process.once("SIGTERM", stop);
// The one who started it has gone: so does the shop.
process.once("disconnect", stop);
