//! What tests share.

use std::path::{Path, PathBuf};
use std::process::Child;

/// A directory of its own that goes with the test.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Self {
        use std::sync::atomic::{AtomicU32, Ordering};
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("filch-queue-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A process that ends with the test, also if that fails.
pub struct Process(pub Child);

impl Process {
    /// Kills it, whatever it does. Whether it was still there.
    pub fn kill(mut self) -> bool {
        let running = self.0.try_wait().unwrap().is_none();
        self.0.kill().unwrap();
        self.0.wait().unwrap();
        running
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// How many times as many cases as usual are wanted: `FILCH_TEST_CASES`.
pub fn cases() -> u32 {
    std::env::var("FILCH_TEST_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1)
}

/// Numbers by chance, others in every run. The seed is printed, and `FILCH_TEST_SEED` sets it.
pub struct Random(u64);

impl Random {
    pub fn new() -> Self {
        let given = std::env::var("FILCH_TEST_SEED")
            .ok()
            .and_then(|text| text.parse().ok());
        let seed = given.unwrap_or_else(|| {
            let mut bytes = [0; 8];
            getrandom::fill(&mut bytes).unwrap();
            u64::from_le_bytes(bytes)
        });
        // Shown by the harness when the test fails.
        println!("FILCH_TEST_SEED={seed}");
        Random(seed | 1)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        // Steele and Vigna's SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % bound
    }
}

/// A NATS server of the test's own, with JetStream, that ends with it.
#[cfg(feature = "jetstream")]
pub struct Server {
    process: std::process::Child,
    port: u16,
    store: Scratch,
}

#[cfg(feature = "jetstream")]
impl Server {
    /// `NATS_SERVER` says where the program is, if not on the path. Says so if there is none, and then the test has nothing to run on.
    pub fn start() -> Option<Self> {
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let store = Scratch::new();
        match Self::spawn(port, store.path()) {
            Ok(process) => {
                let server = Server {
                    process,
                    port,
                    store,
                };
                server.wait();
                Some(server)
            }
            Err(error) => {
                // Past the harness, which shows nothing of tests that pass.
                let mut out = std::io::stderr();
                let line = format!(
                    "skipped: JetStream, as there is no nats-server ({error}): set NATS_SERVER or use queue/tests/with-nats\n"
                );
                std::io::Write::write_all(&mut out, line.as_bytes()).unwrap();
                None
            }
        }
    }

    fn spawn(port: u16, store: &Path) -> std::io::Result<std::process::Child> {
        Self::command(port, store).spawn()
    }

    fn command(port: u16, store: &Path) -> std::process::Command {
        let program = std::env::var_os("NATS_SERVER").unwrap_or_else(|| "nats-server".into());
        let mut command = std::process::Command::new(program);
        command
            .args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"])
            .arg(store);
        command
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null());
        command
    }

    /// The same store, under another configuration.
    pub fn start_again_with(&mut self, config: &Path) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        self.process = Self::command(self.port, self.store.path())
            .arg("-c")
            .arg(config)
            .spawn()
            .unwrap();
        self.wait();
    }

    fn wait(&self) {
        let begun = std::time::Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(
                begun.elapsed() < std::time::Duration::from_secs(30),
                "the server does not come up"
            );
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Takes away all consumers of a queue's streams, as an administrator could; how many.
    pub fn delete_consumers(&self, queue: &str) -> usize {
        use futures_util::StreamExt;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let context =
                async_nats::jetstream::new(async_nats::connect(self.url()).await.unwrap());
            let mut deleted = 0;
            for lane in ["HIGH", "NORMAL", "LOW"] {
                let Ok(stream) = context.get_stream(format!("FQ_{queue}_{lane}")).await else {
                    continue;
                };
                let mut names = stream.consumer_names();
                while let Some(Ok(name)) = names.next().await {
                    deleted += usize::from(stream.delete_consumer(&name).await.is_ok());
                }
            }
            deleted
        })
    }

    /// The names of its streams.
    pub fn streams(&self) -> Vec<String> {
        use futures_util::StreamExt;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let context =
                async_nats::jetstream::new(async_nats::connect(self.url()).await.unwrap());
            let names = context.stream_names();
            names.map(|name| name.unwrap()).collect().await
        })
    }

    /// Kills it as a loss of its process would, and starts it on what it had written.
    pub fn kill_and_start(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        self.process = Self::spawn(self.port, self.store.path()).unwrap();
        self.wait();
    }
}

#[cfg(feature = "jetstream")]
impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
