//! New tables, new jackpots and jackpot parameters, read from JSON and from forms.

use baize_house::{
    CommandId, HouseError, JackpotConfig, JackpotId, MoneyKind, Pace, Shoe, TableConfig, TableId,
};
use baize_jackpot::Parameters;
use baize_rules::{Money, Percent, ProcedureName, Rulebook};
use baize_table::Limits;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::body::{Form, shortened};
use super::fault::Fault;

/// A new table. Omitted fields get the default of its game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "table": "rh-2", "game": Rulebook::builtins().first().map(|book| &book.id) }))]
pub(crate) struct NewTable {
    pub(crate) id: Option<CommandId>,
    pub(crate) table: TableId,
    game: String,
    boxes: Option<u8>,
    procedure: Option<ProcedureName>,
    ante: Option<Limits>,
    bonus: Option<Limits>,
    jackpot: Option<JackpotId>,
    pace: Option<Pace>,
    shoe: Option<Shoe>,
    float: Option<Money>,
    money: Option<MoneyKind>,
    bets_by_staff: Option<Money>,
    chip: Option<Money>,
}

impl NewTable {
    pub(crate) fn config(&self) -> Result<TableConfig, Fault> {
        let unknown = || HouseError::UnknownRulebook(self.game.chars().take(64).collect());
        let book = Rulebook::builtin(&self.game).ok_or_else(unknown)?;
        let mut config = TableConfig::usual(self.table.clone(), book, self.jackpot.clone());
        let settings = &mut config.settings;
        settings.boxes = self.boxes.unwrap_or(settings.boxes);
        settings.procedure = self.procedure.unwrap_or(settings.procedure);
        settings.ante = self.ante.unwrap_or(settings.ante);
        settings.bonus = self.bonus.unwrap_or(settings.bonus);
        config.pace = self.pace.unwrap_or(config.pace);
        config.shoe = self.shoe.unwrap_or(config.shoe);
        config.float = self.float.unwrap_or(config.float);
        config.money = self.money.unwrap_or(config.money);
        config.bets_by_staff = self.bets_by_staff.unwrap_or(config.bets_by_staff);
        config.chip = self.chip.unwrap_or(config.chip);
        Ok(config)
    }

    pub(crate) fn from_form(form: &Form) -> Result<NewTable, Fault> {
        let (pace, shoe) = match form.text("dealt") {
            "house" => (None, None),
            "dealer" => (Some(Pace::Dealer), None),
            "entered" => (Some(Pace::Dealer), Some(Shoe::Entered)),
            _ => return Err(Fault::unreadable("select who deals")),
        };
        Ok(NewTable {
            id: None,
            table: parsed(form, "table", "the name of the table")?,
            game: form.text("game").to_owned(),
            boxes: form.optional("boxes")?,
            procedure: None,
            ante: optional_limits(form, "ante")?,
            bonus: optional_limits(form, "bonus")?,
            jackpot: if form.has("jackpot") { Some(parsed(form, "jackpot", "the jackpot")?) } else { None },
            pace,
            shoe,
            float: optional_amount(form, "float")?,
            money: form.optional_explained("money")?,
            bets_by_staff: None,
            chip: None,
        })
    }
}

/// A new jackpot. Omitted fields get their defaults.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "jackpot": "RWS2", "base": "100000.00" }))]
pub(crate) struct NewJackpot {
    pub(crate) id: Option<CommandId>,
    pub(crate) jackpot: JackpotId,
    base: Option<Money>,
    wager: Option<Money>,
    reset: Option<Money>,
    increment: Option<Percent>,
    reserve: Option<Percent>,
    ceiling: Option<Money>,
    confirm_above: Option<Money>,
    money: Option<MoneyKind>,
}

impl NewJackpot {
    pub(crate) fn config(&self) -> JackpotConfig {
        let usual = JackpotConfig::usual(self.jackpot.clone());
        JackpotConfig {
            base: self.base.unwrap_or(usual.base),
            wager: self.wager.unwrap_or(usual.wager),
            reset: self.reset.unwrap_or(usual.reset),
            increment: self.increment.unwrap_or(usual.increment),
            reserve: self.reserve.unwrap_or(usual.reserve),
            ceiling: self.ceiling,
            confirm_above: self.confirm_above.unwrap_or(usual.confirm_above),
            money: self.money.unwrap_or(usual.money),
            ..usual
        }
    }

    pub(crate) fn from_form(form: &Form) -> Result<NewJackpot, Fault> {
        Ok(NewJackpot {
            id: None,
            jackpot: parsed(form, "jackpot", "the name of the jackpot")?,
            base: Some(amount(form, "base")?),
            wager: Some(amount(form, "wager")?),
            reset: Some(amount(form, "reset")?),
            increment: Some(percent(form, "increment")?),
            reserve: Some(percent(form, "reserve")?),
            ceiling: optional_amount(form, "ceiling")?,
            confirm_above: Some(amount(form, "confirm_above")?),
            money: form.optional_explained("money")?,
        })
    }
}

/// New parameters of a jackpot; all are required.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = json!({ "parameters": { "wager": "5.00", "reset": "100000.00", "increment": "20%", "reserve": "5%", "ceiling": null, "confirm_above": "10000.00" } }))]
pub(crate) struct NewParameters {
    pub(crate) id: Option<CommandId>,
    pub(crate) parameters: Parameters,
}

/// Parameters from a form, which has no field for the wager.
pub(crate) fn parameters(form: &Form, wager: Money) -> Result<Parameters, Fault> {
    Ok(Parameters {
        wager,
        reset: amount(form, "reset")?,
        increment: percent(form, "increment")?,
        reserve: percent(form, "reserve")?,
        ceiling: optional_amount(form, "ceiling")?,
        confirm_above: amount(form, "confirm_above")?,
    })
}

/// The limits of an area, from two fields such as `ante_least` and `ante_most`.
pub(crate) fn limits(form: &Form, area: &str) -> Result<Limits, Fault> {
    Ok(Limits {
        least: amount(form, &format!("{area}_least"))?,
        most: amount(form, &format!("{area}_most"))?,
    })
}

fn optional_limits(form: &Form, area: &str) -> Result<Option<Limits>, Fault> {
    let given = form.has(&format!("{area}_least")) || form.has(&format!("{area}_most"));
    if given { limits(form, area).map(Some) } else { Ok(None) }
}

/// A field's name in messages: "confirm above" for `confirm_above`, "ante from" for `ante_least`.
fn field_label(name: &str) -> String {
    name.replace("_least", " from").replace("_most", " to").replace('_', " ")
}

fn optional_amount(form: &Form, name: &str) -> Result<Option<Money>, Fault> {
    if form.has(name) { amount(form, name).map(Some) } else { Ok(None) }
}

/// An amount, with or without thousands separators.
pub(super) fn amount(form: &Form, name: &str) -> Result<Money, Fault> {
    let text = shortened(form.text(name).trim());
    let wrong = || {
        format!("{}: `{text}` is not an amount of money; enter it like 1,500 or 1500.50", field_label(name))
    };
    text.replace([',', ' '], "").parse().map_err(|_| Fault::unreadable(wrong()))
}

/// A percentage, with or without the sign.
fn percent(form: &Form, name: &str) -> Result<Percent, Fault> {
    let text = shortened(form.text(name).trim());
    let whole = format!("{}%", text.trim_end_matches('%').trim_end());
    let wrong = || format!("{}: `{text}` is not a percentage; enter it like 20 or 12.5", field_label(name));
    whole.parse().map_err(|_| Fault::unreadable(wrong()))
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(
    form: &Form,
    name: &str,
    what: &str,
) -> Result<T, Fault> {
    let text = form.text(name).trim();
    text.parse().map_err(|why| Fault::unreadable(format!("{what}: {why}")))
}
