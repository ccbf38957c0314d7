//! Proves that the prover knows a number whose repeated cube is a given number (Groth16, over BLS12-381).

use ark_bls12_381::{Bls12_381, Fr};
use ark_groth16::Groth16;
use ark_groth16::r1cs_to_qap::LibsnarkReduction;
use ark_relations::gr1cs::{ConstraintSynthesizer, ConstraintSystemRef, SynthesisError};
use ark_relations::lc;
use ark_serialize::CanonicalSerialize;

fn main() {
    for (name, cubes, repeats) in [
        ("128 constraints", 64, 30),
        ("2,000 constraints", 1_000, 5),
        ("16,000 constraints", 8_000, 1),
    ] {
        let chain = Chain {
            first: Fr::from(3u64),
            cubes,
        };
        let mut random = ark_std::test_rng();
        let key =
            Groth16::<Bls12_381, LibsnarkReduction>::generate_random_parameters_with_reduction(
                chain.clone(),
                &mut random,
            )
            .expect("a key");
        let (r, s) = (Fr::from(5u64), Fr::from(7u64));
        stopwatch::measure(name, repeats, || {
            let proof = Groth16::<Bls12_381, LibsnarkReduction>::create_proof_with_reduction(
                chain.clone(),
                &key,
                r,
                s,
            );
            let mut bytes = Vec::new();
            let proof = proof.expect("a proof");
            proof.serialize_compressed(&mut bytes).expect("its bytes");
            bytes
                .iter()
                .fold(0, |sum, &byte| stopwatch::scrambled(sum ^ u64::from(byte)))
        });
    }
}

/// Each link is the cube of the one before, which takes two constraints.
#[derive(Clone)]
struct Chain {
    first: Fr,
    cubes: usize,
}

impl ConstraintSynthesizer<Fr> for Chain {
    fn generate_constraints(self, cs: ConstraintSystemRef<Fr>) -> Result<(), SynthesisError> {
        let mut value = self.first;
        let mut link = cs.new_witness_variable(|| Ok(value))?;
        for at in 1..=self.cubes {
            let square = value * value;
            let squared = cs.new_witness_variable(|| Ok(square))?;
            cs.enforce_r1cs_constraint(|| lc!() + link, || lc!() + link, || lc!() + squared)?;
            let cube = square * value;
            let next = match at == self.cubes {
                true => cs.new_input_variable(|| Ok(cube))?,
                false => cs.new_witness_variable(|| Ok(cube))?,
            };
            cs.enforce_r1cs_constraint(|| lc!() + squared, || lc!() + link, || lc!() + next)?;
            (value, link) = (cube, next);
        }
        Ok(())
    }
}
