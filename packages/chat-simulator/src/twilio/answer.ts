import type { ApiAnswer } from "../wire.ts";

/** An error as Twilio answers it. */
export function twilioError(status: number, code: number, message: string): ApiAnswer {
  return {
    status,
    json: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  };
}
