//! The faults of the simulation.

/// A fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// A process dies, at any await.
    HostDies,
    /// All processes die at once.
    AllDie,
    /// A process is stopped normally and started again.
    HostStops,
    /// A write is silently lost.
    WriteLost,
    /// A write is delayed, so that others overtake it.
    WriteLate,
    /// A transaction is interrupted and rolled back.
    WriteTorn,
    /// A write is carried out, but its answer is lost.
    AnswerLost,
    /// A write is carried out, but its answer is delayed.
    AnswerLate,
    /// The server crashes with everything in flight, and restarts.
    ServerAway,
    /// The server refuses connections.
    Refuses,
    /// The server does not answer in time.
    TimesOut,
    /// The disk is full.
    DiskFull,
    /// A notification between hosts is lost.
    NewsLost,
    /// A notification between hosts is delivered twice.
    NewsDoubled,
    /// A notification between hosts is delayed.
    NewsLate,
    /// A clock jumps forward.
    ClockForward,
    /// A clock jumps back.
    ClockBack,
    /// A clock stands still.
    ClockStands,
    /// A client disconnects before it gets the answer.
    ClientGone,
    /// A client sends its order again, to any host.
    ClientRepeats,
    /// A client reuses a command id for a different order.
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

    /// Name on the command line and in reports.
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

    /// Parses a comma-separated list of names; `none` is empty.
    ///
    /// # Errors
    /// An unknown name.
    pub fn named(names: &str) -> Result<Vec<Fault>, String> {
        let one = |name: &str| {
            let found = Fault::ALL.into_iter().find(|fault| fault.name() == name);
            let known = || Fault::ALL.map(Fault::name).join(", ");
            found.ok_or_else(|| format!("unknown fault `{name}`; known are: {}", known()))
        };
        names.split(',').filter(|name| !name.is_empty() && *name != "none").map(one).collect()
    }

    /// Probability per step in thousandths, if the fault is enabled for a casino.
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
