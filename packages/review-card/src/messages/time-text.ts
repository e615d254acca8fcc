/** A day with its weekday, or a moment with time and zone too: no order of numbers to guess at. */
export function timeText(
  locale: string,
  at: string,
  timeZone: string,
  only: "day" | "seconds" | "moment" = "moment",
): string {
  return new Date(at).toLocaleString(locale, {
    timeZone,
    ...(only === "seconds"
      ? { second: "2-digit" }
      : { weekday: "short", day: "numeric", month: "short", year: "numeric" }),
    ...(only === "day" ? {} : { hour: "2-digit", minute: "2-digit", timeZoneName: "short" }),
  });
}
