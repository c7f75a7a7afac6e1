"""A client of the Baize API. Made by `baize generate client` from the API's own description: do not edit.

    from baize_client import Client, Refused
    ann = Client("http://127.0.0.1:8080")
    ann.token = ann.post_players({"name": "ann"})["token"]
"""

import json
import urllib.error
import urllib.parse
import urllib.request


class Refused(Exception):
    """The casino said no: `status`, `code`, `message` and the `paragraphs` behind it."""

    def __init__(self, status, error):
        super().__init__(f"{status} {error['code']}: {error['message']}")
        self.status, self.code = status, error["code"]
        self.message, self.paragraphs = error["message"], error["paragraphs"]


class Client:
    """One person of the casino. Without a token it is anybody."""

    def __init__(self, address, token=None):
        self.address, self.token = address.rstrip("/") + "/api/v1", token

    def _open(self, method, path, query=None, body=None):
        given = {name: value for name, value in (query or {}).items() if value is not None}
        address = self.address + path + ("?" + urllib.parse.urlencode(given) if given else "")
        request = urllib.request.Request(address, method=method)
        if self.token:
            request.add_header("authorization", "Bearer " + self.token)
        if body is not None:
            request.add_header("content-type", "application/json")
            request.data = json.dumps(body).encode()
        try:
            return urllib.request.urlopen(request)
        except urllib.error.HTTPError as answer:
            raise Refused(answer.code, json.load(answer)["error"]) from None

    def _send(self, method, path, query=None, body=None):
        with self._open(method, path, query, body) as answer:
            text = answer.read().decode()
            as_json = answer.headers.get("content-type", "").startswith("application/json")
            return json.loads(text) if as_json else (text or None)

    def _listen(self, path, query=None):
        with self._open("GET", path, query) as answer:
            for line in answer:
                if line.startswith(b"data:"):
                    yield json.loads(line[5:])

    def get_rounds(self, table=None, player=None, before=None, limit=None):
        """Finished rounds, newest first. For anybody."""
        return self._send("GET", "/rounds", {"table": table, "player": player, "before": before, "limit": limit}, None)

    def get_rounds_table_number(self, table, number):
        """A finished round step by step, as you may see it. For anybody."""
        return self._send("GET", f"/rounds/{urllib.parse.quote(str(table), safe='')}/{urllib.parse.quote(str(number), safe='')}", None, None)

    def get_rounds_table_number_proof(self, table, number):
        """The proof of the shuffle, with the cards that you may see. For anybody."""
        return self._send("GET", f"/rounds/{urllib.parse.quote(str(table), safe='')}/{urllib.parse.quote(str(number), safe='')}/proof", None, None)

    def get_rounds_table_number_script(self, table, number):
        """The round as a round script; cards that you may not see are replaced by others. For anybody."""
        return self._send("GET", f"/rounds/{urllib.parse.quote(str(table), safe='')}/{urllib.parse.quote(str(number), safe='')}/script", None, None)

    def get_significant_events(self, limit=None):
        """Voids, rulings, failed log-ins, large wins. For pit or auditor."""
        return self._send("GET", "/significant-events", {"limit": limit}, None)

    def get_journal(self, stream=None, kind=None, actor=None, from_=None, to=None, text=None, after=None, before=None, limit=None):
        """Journal entries, newest first. For auditor."""
        return self._send("GET", "/journal", {"stream": stream, "kind": kind, "actor": actor, "from": from_, "to": to, "text": text, "after": after, "before": before, "limit": limit}, None)

    def get_audit(self):
        """Replays and checks the whole journal. For auditor."""
        return self._send("GET", "/audit", None, None)

    def get_report(self, by=None, from_=None, to=None, table=None, game=None, money=None, utc_offset=None, day_begins=None):
        """Handle, win, hold, contributions and awards by table, game or gaming day; jackpots; the cage. For cage, pit manager or auditor."""
        return self._send("GET", "/report", {"by": by, "from": from_, "to": to, "table": table, "game": game, "money": money, "utc_offset": utc_offset, "day_begins": day_begins}, None)

    def get_version(self):
        """The program's version and the SHA-256 of its file. For anybody."""
        return self._send("GET", "/version", None, None)

    def get_games(self):
        """The rulebooks in use. For anybody."""
        return self._send("GET", "/games", None, None)

    def get_tables(self):
        """All tables. For anybody."""
        return self._send("GET", "/tables", None, None)

    def post_tables(self, body):
        """Creates a table; omitted fields get the default of its game. For shift manager."""
        return self._send("POST", "/tables", None, body)

    def get_tables_table(self, table):
        """One table, as the lobby shows it. For anybody."""
        return self._send("GET", f"/tables/{urllib.parse.quote(str(table), safe='')}", None, None)

    def get_tables_table_view(self, table):
        """One table as you may see it, with your legal actions. For anybody."""
        return self._send("GET", f"/tables/{urllib.parse.quote(str(table), safe='')}/view", None, None)

    def post_tables_table_orders(self, table, body):
        """Carries out an order. Sent twice with the same id, it acts once; with a version, it acts only while the table is at that version. For anybody who is logged in."""
        return self._send("POST", f"/tables/{urllib.parse.quote(str(table), safe='')}/orders", None, body)

    def post_tables_table_preview(self, table, body):
        """Previews the consequences of a report or a ruling, judged by the open cards; changes nothing. For dealer or above."""
        return self._send("POST", f"/tables/{urllib.parse.quote(str(table), safe='')}/preview", None, body)

    def get_tables_table_events(self, table, after=None):
        """Streams your view of the table, now and after every change (events named `view`). For anybody."""
        return self._listen(f"/tables/{urllib.parse.quote(str(table), safe='')}/events", {"after": after})

    def get_events(self, after=None):
        """Streams all tables and jackpots after every change (events named `house`). For anybody."""
        return self._listen("/events", {"after": after})

    def get_jackpots(self):
        """All jackpots. For anybody."""
        return self._send("GET", "/jackpots", None, None)

    def post_jackpots(self, body):
        """Creates a jackpot; omitted fields get their defaults. For shift manager."""
        return self._send("POST", "/jackpots", None, body)

    def get_jackpots_jackpot(self, jackpot):
        """One jackpot. For anybody."""
        return self._send("GET", f"/jackpots/{urllib.parse.quote(str(jackpot), safe='')}", None, None)

    def post_jackpots_jackpot_close(self, jackpot, body):
        """Closes a jackpot for good; its pools move into another of the same operator. For shift manager."""
        return self._send("POST", f"/jackpots/{urllib.parse.quote(str(jackpot), safe='')}/close", None, body)

    def get_jackpots_jackpot_parameters(self, jackpot):
        """The parameters of a jackpot, and the pending change. For pit supervisor or above, or auditor."""
        return self._send("GET", f"/jackpots/{urllib.parse.quote(str(jackpot), safe='')}/parameters", None, None)

    def post_jackpots_jackpot_parameters(self, jackpot, body):
        """Proposes new parameters; the wager cannot change. For pit manager or above."""
        return self._send("POST", f"/jackpots/{urllib.parse.quote(str(jackpot), safe='')}/parameters", None, body)

    def post_jackpots_jackpot_parameters_approve(self, jackpot, body=None):
        """Approves the change, which takes effect at the next hit of the top award. For shift manager, other than the proposer."""
        return self._send("POST", f"/jackpots/{urllib.parse.quote(str(jackpot), safe='')}/parameters/approve", None, body)

    def post_jackpots_jackpot_parameters_withdraw(self, jackpot, body=None):
        """Withdraws the pending change. For pit manager or above."""
        return self._send("POST", f"/jackpots/{urllib.parse.quote(str(jackpot), safe='')}/parameters/withdraw", None, body)

    def post_jackpots_jackpot_hits_hit_verify(self, jackpot, hit, body=None):
        """Verifies that the hand of a hit qualifies. For pit supervisor or above."""
        return self._send("POST", f"/jackpots/{urllib.parse.quote(str(jackpot), safe='')}/hits/{urllib.parse.quote(str(hit), safe='')}/verify", None, body)

    def post_jackpots_jackpot_hits_hit_confirm(self, jackpot, hit, body=None):
        """Confirms a large award, as the second person. For pit supervisor or above, other than the verifier."""
        return self._send("POST", f"/jackpots/{urllib.parse.quote(str(jackpot), safe='')}/hits/{urllib.parse.quote(str(hit), safe='')}/confirm", None, body)

    def post_jackpots_jackpot_hits_hit_reject(self, jackpot, hit, body):
        """Rejects a hit whose hand does not qualify. For pit supervisor or above."""
        return self._send("POST", f"/jackpots/{urllib.parse.quote(str(jackpot), safe='')}/hits/{urllib.parse.quote(str(hit), safe='')}/reject", None, body)

    def post_database_accept(self, body):
        """Continues with a database that lacks acknowledged entries. For shift manager."""
        return self._send("POST", "/database/accept", None, body)

    def post_players(self, body):
        """Creates a player with the house's play chips, if it gives any, and starts their session. For anybody."""
        return self._send("POST", "/players", None, body)

    def get_players(self):
        """All players. For cage, pit or auditor."""
        return self._send("GET", "/players", None, None)

    def get_players_player_rating(self, player, rounds=None, table=None):
        """Rates a player's latest rounds: every decision compared with best play, in total and by session, table and day. For the player, or the auditor."""
        return self._send("GET", f"/players/{urllib.parse.quote(str(player), safe='')}/rating", {"rounds": rounds, "table": table}, None)

    def post_sessions(self, body):
        """Logs in. After three failures in a row, password log-ins under the name are delayed, longer after each failure (423). For anybody."""
        return self._send("POST", "/sessions", None, body)

    def delete_sessions(self):
        """Logs out. For anybody who is logged in."""
        return self._send("DELETE", "/sessions", None, None)

    def get_me(self):
        """Your identity and your purse. For anybody."""
        return self._send("GET", "/me", None, None)

    def get_staff(self):
        """All staff. For shift manager or auditor."""
        return self._send("GET", "/staff", None, None)

    def post_staff(self, body):
        """Creates a member of staff. For shift manager."""
        return self._send("POST", "/staff", None, body)

    def post_staff_name_duties(self, name, body):
        """Sets the duties of a member of staff and ends their sessions. For another shift manager."""
        return self._send("POST", f"/staff/{urllib.parse.quote(str(name), safe='')}/duties", None, body)

    def post_staff_name_suspend(self, name, body):
        """Suspends a member of staff and ends their sessions. For another shift manager."""
        return self._send("POST", f"/staff/{urllib.parse.quote(str(name), safe='')}/suspend", None, body)

    def post_staff_name_reinstate(self, name, body=None):
        """Reinstates a suspended member of staff. For another shift manager."""
        return self._send("POST", f"/staff/{urllib.parse.quote(str(name), safe='')}/reinstate", None, body)

    def post_staff_name_end_sessions(self, name, body=None):
        """Ends all sessions and links of a member of staff. For shift manager, and everybody for themselves."""
        return self._send("POST", f"/staff/{urllib.parse.quote(str(name), safe='')}/end-sessions", None, body)

    def post_password(self, body):
        """Changes your own password, ends all your sessions and starts a new one. For anybody who is logged in."""
        return self._send("POST", "/password", None, body)

    def post_links(self, body):
        """Creates a one-time log-in link. For shift manager for a player, a dealer or the cage; cage for a player; a player for themselves."""
        return self._send("POST", "/links", None, body)

    def post_unlock(self, body):
        """Unlocks an account whose log-ins are delayed. For shift manager."""
        return self._send("POST", "/unlock", None, body)

    def post_cage_players(self, body):
        """Registers a player who plays for cash. For cage."""
        return self._send("POST", "/cage/players", None, body)

    def post_cage_collect(self, body):
        """Collects a player's debt from their purse. For cage."""
        return self._send("POST", "/cage/collect", None, body)

    def post_cage_buy_in(self, body):
        """Buy-in: chips for cash. For cage."""
        return self._send("POST", "/cage/buy-in", None, body)

    def post_cage_cash_out(self, body):
        """Cash-out: cash for chips. For cage."""
        return self._send("POST", "/cage/cash-out", None, body)
