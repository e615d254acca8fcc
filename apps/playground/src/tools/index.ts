import type { Tool } from "@countersign/core";
import { addNote } from "./add-note.ts";
import { bookSlot } from "./book-slot.ts";
import { cancelOrder } from "./cancel-order.ts";
import { changeAddress } from "./change-address.ts";
import { findOrder } from "./find-order.ts";
import { refundOrder } from "./refund-order.ts";
import type { ShopToolOptions } from "./shop-client.ts";
import { takeOffer } from "./take-offer.ts";

/** Every tool of the shop's assistant. */
export function shopTools(options: ShopToolOptions & { readonly offerSeconds: number }): readonly Tool[] {
  return [
    findOrder(options),
    cancelOrder(options),
    changeAddress(options),
    refundOrder(options),
    addNote(options),
    bookSlot(options),
    takeOffer(options),
  ];
}
