//! rayon's names from before `ThreadPoolBuilder`, for code that still has them.

#![allow(deprecated)]

use super::builder::ThreadPoolBuilder;
use super::thread_pool::ThreadPool;
use super::unwind::Payload;
use std::error::Error;
use std::fmt;

/// The old name of [`ThreadPoolBuilder`], with the options that there were.
///
/// ```
/// # #![allow(deprecated)]
/// let pool = filch::Configuration::new().num_threads(2).build().unwrap();
/// assert_eq!(pool.current_num_threads(), 2);
/// ```
#[deprecated(note = "use `ThreadPoolBuilder`")]
#[derive(Default)]
pub struct Configuration {
    builder: ThreadPoolBuilder,
}

/// The old name of [`ThreadPoolBuilder::build_global`].
///
/// ```
/// # #![allow(deprecated)]
/// filch::initialize(filch::Configuration::new().num_threads(3)).unwrap();
/// assert_eq!(filch::current_num_threads(), 3);
/// ```
///
/// # Errors
///
/// As [`ThreadPoolBuilder::build_global`].
#[deprecated(note = "use `ThreadPoolBuilder::build_global`")]
pub fn initialize(config: Configuration) -> Result<(), Box<dyn Error>> {
    Ok(config.builder.build_global()?)
}

impl Configuration {
    /// Default settings.
    pub fn new() -> Configuration {
        Configuration::default()
    }

    /// Builds the pool.
    ///
    /// # Errors
    ///
    /// As [`ThreadPoolBuilder::build`].
    pub fn build(self) -> Result<ThreadPool, Box<dyn Error + 'static>> {
        Ok(self.builder.build()?)
    }

    fn with(self, option: impl FnOnce(ThreadPoolBuilder) -> ThreadPoolBuilder) -> Configuration {
        Configuration {
            builder: option(self.builder),
        }
    }

    /// See [`ThreadPoolBuilder::thread_name`].
    ///
    /// ```
    /// # #![allow(deprecated)]
    /// let options = filch::Configuration::new().num_threads(1).thread_name(|i| format!("worker-{i}"));
    /// let pool = options.build().unwrap();
    /// assert_eq!(pool.install(|| std::thread::current().name().map(String::from)), Some("worker-0".into()));
    /// ```
    pub fn thread_name<F>(self, closure: F) -> Self
    where
        F: FnMut(usize) -> String + 'static,
    {
        self.with(|builder| builder.thread_name(closure))
    }

    /// See [`ThreadPoolBuilder::num_threads`].
    pub fn num_threads(self, num_threads: usize) -> Configuration {
        self.with(|builder| builder.num_threads(num_threads))
    }

    /// See [`ThreadPoolBuilder::panic_handler`].
    ///
    /// ```
    /// # #![allow(deprecated)]
    /// let options = filch::Configuration::new().num_threads(1).panic_handler(|_| eprintln!("a job panicked"));
    /// assert!(options.build().is_ok());
    /// ```
    pub fn panic_handler<H>(self, panic_handler: H) -> Configuration
    where
        H: Fn(Payload) + Send + Sync + 'static,
    {
        self.with(|builder| builder.panic_handler(panic_handler))
    }

    /// See [`ThreadPoolBuilder::stack_size`].
    ///
    /// ```
    /// # #![allow(deprecated)]
    /// let options = filch::Configuration::new().num_threads(1).stack_size(4 << 20);
    /// assert!(options.build().is_ok());
    /// ```
    pub fn stack_size(self, stack_size: usize) -> Self {
        self.with(|builder| builder.stack_size(stack_size))
    }

    /// See [`ThreadPoolBuilder::breadth_first`].
    ///
    /// ```
    /// # #![allow(deprecated)]
    /// let options = filch::Configuration::new().num_threads(1).breadth_first();
    /// assert!(options.build().is_ok());
    /// ```
    pub fn breadth_first(self) -> Self {
        self.with(ThreadPoolBuilder::breadth_first)
    }

    /// See [`ThreadPoolBuilder::start_handler`].
    ///
    /// ```
    /// # #![allow(deprecated)]
    /// let options = filch::Configuration::new().num_threads(1).start_handler(|i| println!("thread {i} begins"));
    /// assert!(options.build().is_ok());
    /// ```
    pub fn start_handler<H>(self, start_handler: H) -> Configuration
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        self.with(|builder| builder.start_handler(start_handler))
    }

    /// See [`ThreadPoolBuilder::exit_handler`].
    ///
    /// ```
    /// # #![allow(deprecated)]
    /// let options = filch::Configuration::new().num_threads(1).exit_handler(|i| println!("thread {i} ends"));
    /// assert!(options.build().is_ok());
    /// ```
    pub fn exit_handler<H>(self, exit_handler: H) -> Configuration
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        self.with(|builder| builder.exit_handler(exit_handler))
    }
}

impl fmt::Debug for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.builder.fmt(f)
    }
}

impl ThreadPool {
    /// The old name of [`ThreadPoolBuilder::build`].
    ///
    /// # Errors
    ///
    /// As [`ThreadPoolBuilder::build`].
    #[deprecated(note = "use `ThreadPoolBuilder::build`")]
    pub fn new(configuration: Configuration) -> Result<ThreadPool, Box<dyn Error>> {
        configuration.build()
    }
}
