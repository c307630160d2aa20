/** Settings that are refused by their names. */
import { describe, expect, it } from "vitest";

import { accessSettings } from "../../src/config.ts";

const AUD = "f00d";

describe("§22.2 single sign-on", () => {
  it.each([
    ["https://team.cloudflareaccess.com", "https://team.cloudflareaccess.com"],
    ["https://team.cloudflareaccess.com/", "https://team.cloudflareaccess.com"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["http://localhost:8080", "http://localhost:8080"],
  ])("§22.2 accepts the team %s", (team, url) => {
    expect(accessSettings({ ACCESS_TEAM_DOMAIN: team, ACCESS_AUD: AUD })).toEqual({ team: url, audience: AUD });
  });

  it("§22.2 is off without both settings", () => {
    expect(accessSettings({})).toBeNull();
    expect(accessSettings({ ACCESS_TEAM_DOMAIN: "", ACCESS_AUD: "" })).toBeNull();
  });

  it.each([
    ["", AUD, "ACCESS_TEAM_DOMAIN"],
    ["team", AUD, "ACCESS_TEAM_DOMAIN"],
    ["team.cloudflareaccess.com", AUD, "ACCESS_TEAM_DOMAIN"],
    ["http://team.cloudflareaccess.com", AUD, "ACCESS_TEAM_DOMAIN"],
    ["http://127.0.0.1.example.com", AUD, "ACCESS_TEAM_DOMAIN"],
    ["https://team.cloudflareaccess.com/cdn-cgi", AUD, "ACCESS_TEAM_DOMAIN"],
    ["https://jo@team.cloudflareaccess.com", AUD, "ACCESS_TEAM_DOMAIN"],
    ["https://team.cloudflareaccess.com", "", "ACCESS_AUD"],
    ["https://team.cloudflareaccess.com", "a b", "ACCESS_AUD"],
  ])("§22.2 refuses the team %s with the audience %j by name", (team, audience, name) => {
    expect(() => accessSettings({ ACCESS_TEAM_DOMAIN: team, ACCESS_AUD: audience })).toThrow(name);
  });
});
