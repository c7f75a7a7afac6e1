//! The casino: journal, ledger, people, tables, recovery.
