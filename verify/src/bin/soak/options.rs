//! What the command line says.

use crate::programs::plant::Plant;
use crate::world::cut;
use filch::iter::plumbing::Cuts;
use std::fmt;
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub const USAGE: &str = "soak [--seconds N] [--seed N] [--clients N above 0] [--cuts adaptive|always|random|never] [--stuck abort|hold] \
    [--programs N above 0] [--path N.N.N] [--plant NAME|all]";

/// A run of this length shows little if no thread ever takes a job from another one.
const LONG: Duration = Duration::from_secs(5);

pub struct Options {
    pub time: Duration,
    /// The seed of the first program.
    pub seed: u64,
    /// How many programs there are; they are run again and again.
    pub programs: u64,
    /// Which steps make the program smaller.
    pub path: Vec<usize>,
    pub clients: usize,
    /// Wait for a debugger when stuck.
    pub hold: bool,
    pub plants: Vec<Plant>,
    cuts: String,
}

impl Options {
    pub fn read() -> Result<Options, String> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let mut options = Options {
            time: Duration::from_secs(30),
            // Runs that begin in different seconds have no programs in common.
            seed: now.map_or(1, |now| now.as_secs() << 24),
            programs: u64::MAX,
            path: Vec::new(),
            clients: 4,
            hold: false,
            plants: Vec::new(),
            cuts: "adaptive".into(),
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            let word = args.next().unwrap_or_default();
            if options.set(&arg, &word).is_none() {
                return Err(format!("cannot read `{arg} {word}`"));
            }
        }
        Ok(options)
    }

    fn set(&mut self, arg: &str, word: &str) -> Option<()> {
        let number = || word.parse::<u64>().ok();
        match arg {
            "--seconds" => self.time = Duration::from_secs(number()?),
            "--seed" => self.seed = number()?,
            "--programs" => self.programs = number().filter(|&n| n > 0)?,
            "--clients" => self.clients = number().filter(|&n| n > 0)? as usize,
            "--path" => {
                let steps = word.split('.').map(|step| step.parse().ok());
                self.path = steps.collect::<Option<_>>()?;
            }
            "--stuck" => self.hold = ["abort", "hold"].iter().position(|&at| at == word)? == 1,
            "--plant" => {
                let named = |plant: &Plant| word == "all" || word == plant.name();
                self.plants = Plant::ALL.into_iter().filter(named).collect();
                self.plants.first()?;
            }
            "--cuts" => {
                cut(match word {
                    "adaptive" => Cuts::Adaptive,
                    "always" => Cuts::Always,
                    "never" => Cuts::Never,
                    "random" => Cuts::Random(1),
                    _ => return None,
                });
                self.cuts = word.into();
            }
            _ => return None,
        }
        Some(())
    }

    /// Whether threads have to take jobs from each other. A few chosen programs may have none to take, and on one processor a thread may be done before another one runs.
    pub fn needs_thieves(&self) -> bool {
        let processors = available_parallelism().map_or(1, NonZero::get);
        self.programs == u64::MAX && self.time >= LONG && processors > 1
    }

    /// The options that lead to this program.
    pub fn replay(&self, seed: u64, path: &[usize]) -> String {
        let path: Vec<String> = path.iter().map(usize::to_string).collect();
        let path = match path.is_empty() {
            true => String::new(),
            false => format!(" --path {}", path.join(".")),
        };
        let (clients, cuts) = (self.clients, &self.cuts);
        format!("--seed {seed} --programs 1{path} --clients {clients} --cuts {cuts}")
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (time, clients, cuts, seed) = (self.time, self.clients, &self.cuts, self.seed);
        write!(
            f,
            "{time:?}, --clients {clients} --cuts {cuts} --seed {seed}"
        )
    }
}
