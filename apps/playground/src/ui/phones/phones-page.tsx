import type { ReactElement } from "react";
import { useState } from "react";
import type { AccountName } from "../../phones/accounts.ts";
import { Phone } from "./phone.tsx";

/** Three phones at the shop's chats: the same writes, confirmed where most customers are. */
export function PhonesPage({ conversationId }: { readonly conversationId: string }): ReactElement {
  const [over, setOver] = useState<AccountName>("shop_whatsapp");
  const viaTwilio = over === "shop_twilio";
  return (
    <div className="phones-page">
      <header className="top">
        <h1>Harbor Shop</h1>
        <p>Countersign playground: phones</p>
        <a className="to-other" href={`/?c=${encodeURIComponent(conversationId)}`}>
          Website
        </a>
      </header>
      <main className="phones" aria-label="Phones">
        <div className="phone-column">
          <Phone
            key={over}
            conversationId={`${conversationId}-${viaTwilio ? "twilio" : "whatsapp"}`}
            account={over}
            title={viaTwilio ? "WhatsApp over Twilio" : "WhatsApp"}
            brand="whatsapp"
          />
          <fieldset className="segments" aria-label="How the shop reaches WhatsApp">
            {(
              [
                ["shop_whatsapp", "Cloud API"],
                ["shop_twilio", "Twilio"],
              ] as const
            ).map(([account, label]) => (
              <button
                key={account}
                type="button"
                aria-pressed={over === account}
                onClick={() => setOver(account)}
              >
                {label}
              </button>
            ))}
          </fieldset>
        </div>
        <div className="phone-column">
          <Phone
            conversationId={`${conversationId}-messenger`}
            account="shop_messenger"
            title="Messenger"
            brand="messenger"
          />
        </div>
        <div className="phone-column">
          <Phone
            conversationId={`${conversationId}-instagram`}
            account="shop_instagram"
            title="Instagram"
            brand="instagram"
          />
        </div>
      </main>
    </div>
  );
}
