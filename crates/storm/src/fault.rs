//! The faults that the simulation knows.

/// Something that goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// A process dies, at any await.
    HostDies,
    /// All processes die at once.
    AllDie,
    /// A process is stopped by plan and started again.
    HostStops,
    /// A write never reaches the database, and nobody says so.
    WriteLost,
    /// A write takes long to reach the database: others are faster.
    WriteLate,
    /// A transaction is cut short and undone.
    WriteTorn,
    /// A write is carried out and its answer lost.
    AnswerLost,
    /// A write is carried out and its answer comes late.
    AnswerLate,
    /// The server goes away, with everything that is in flight, and comes back.
    ServerAway,
    /// The server takes no connection.
    Refuses,
    /// The server does not answer in time.
    TimesOut,
    /// The disk is full.
    DiskFull,
    /// News between hosts is lost.
    NewsLost,
    /// News between hosts comes twice.
    NewsDoubled,
    /// News between hosts comes late.
    NewsLate,
    /// A clock jumps forward.
    ClockForward,
    /// A clock jumps back.
    ClockBack,
    /// A clock stands still.
    ClockStands,
    /// A client is gone before it is answered.
    ClientGone,
    /// A client sends its order again, to any host.
    ClientRepeats,
    /// A client uses the id of its order for something else.
    ClientReuses,
    /// Orders overtake each other.
    ClientReorders,
    /// A betting device or the jackpot system fails in the middle of a round.
    DeviceFails,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 23] = [
        Fault::HostDies,
        Fault::AllDie,
        Fault::HostStops,
        Fault::WriteLost,
        Fault::WriteLate,
        Fault::WriteTorn,
        Fault::AnswerLost,
        Fault::AnswerLate,
        Fault::ServerAway,
        Fault::Refuses,
        Fault::TimesOut,
        Fault::DiskFull,
        Fault::NewsLost,
        Fault::NewsDoubled,
        Fault::NewsLate,
        Fault::ClockForward,
        Fault::ClockBack,
        Fault::ClockStands,
        Fault::ClientGone,
        Fault::ClientRepeats,
        Fault::ClientReuses,
        Fault::ClientReorders,
        Fault::DeviceFails,
    ];

    /// Its name on the command line and in figures.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Fault::HostDies => "host-dies",
            Fault::AllDie => "all-die",
            Fault::HostStops => "host-stops",
            Fault::WriteLost => "write-lost",
            Fault::WriteLate => "write-late",
            Fault::WriteTorn => "write-torn",
            Fault::AnswerLost => "answer-lost",
            Fault::AnswerLate => "answer-late",
            Fault::ServerAway => "server-away",
            Fault::Refuses => "refuses",
            Fault::TimesOut => "times-out",
            Fault::DiskFull => "disk-full",
            Fault::NewsLost => "news-lost",
            Fault::NewsDoubled => "news-doubled",
            Fault::NewsLate => "news-late",
            Fault::ClockForward => "clock-forward",
            Fault::ClockBack => "clock-back",
            Fault::ClockStands => "clock-stands",
            Fault::ClientGone => "client-gone",
            Fault::ClientRepeats => "client-repeats",
            Fault::ClientReuses => "client-reuses",
            Fault::ClientReorders => "client-reorders",
            Fault::DeviceFails => "device-fails",
        }
    }

    /// The faults of these names, separated by commas; `none` is none.
    ///
    /// # Errors
    /// A name that no fault has.
    pub fn named(names: &str) -> Result<Vec<Fault>, String> {
        let one = |name: &str| {
            let found = Fault::ALL.into_iter().find(|fault| fault.name() == name);
            let known = || Fault::ALL.map(Fault::name).join(", ");
            found.ok_or_else(|| format!("`{name}` is not a fault; these are: {}", known()))
        };
        names.split(',').filter(|name| !name.is_empty() && *name != "none").map(one).collect()
    }

    /// How often it strikes, in thousandths of all steps, while it is among the faults of a casino.
    #[must_use]
    pub const fn rate(self) -> u32 {
        match self {
            Fault::AllDie | Fault::HostStops => 2,
            Fault::HostDies | Fault::ServerAway | Fault::DiskFull => 5,
            Fault::ClockForward | Fault::ClockBack | Fault::ClockStands | Fault::TimesOut => 4,
            Fault::DeviceFails => 10,
            Fault::WriteLost | Fault::WriteTorn | Fault::AnswerLost | Fault::Refuses => 15,
            Fault::WriteLate | Fault::AnswerLate | Fault::NewsLost | Fault::NewsDoubled | Fault::NewsLate => {
                25
            }
            Fault::ClientGone | Fault::ClientRepeats | Fault::ClientReuses | Fault::ClientReorders => 40,
        }
    }
}
